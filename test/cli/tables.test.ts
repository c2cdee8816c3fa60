import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nostrSeed } from '../../infra/local/platforms/nostr.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { listen } from '../net/listen.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { hasPython, makeSocial, type Social } from './social.ts'

const [{ npub }] = nostrSeed.people
const shortKey = `${npub.slice(0, 9)}…${npub.slice(-4)}`

let kit: Kit
let social: Social
let nostr: string
beforeAll(async () => {
  kit = await start()
  social = await makeSocial()
  nostr = await connectOn(kit, 'nostr')
  Object.assign(social.environment, {
    SOCIAL_BASE_URL: kit.url,
    SOCIAL_TOKEN: kit.sessionToken,
    SOCIAL_WORKSPACE: kit.workspaceId,
  })
}, 120_000)
afterAll(async () => {
  social.remove()
  await kit.close()
})

const schedule = (content: string, socialAccountId: string, inMs: number) =>
  kit.api.posts.schedule({
    body: {
      content,
      socialAccountIds: [socialAccountId],
      scheduledAt: new Date(kit.clock.now() + inMs).toISOString(),
    },
  })

test('the log says when, what, which account, the words of the text, and why it failed', async () => {
  const since = new Date(kit.clock.now()).toISOString()
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400 })
  const [failing] = await schedule(
    `A text that fails, ${'and goes on '.repeat(10)}`,
    kit.accounts.bluesky,
    5 * minuteMs,
  )
  await schedule('A text that succeeds', nostr, hourMs)
  await kit.service.drain()
  kit.clock.pass(2 * hourMs)
  await kit.service.drain()
  kit.clock.pass(2 * minuteMs)
  const { code, stdout } = await social.run(['logs', '--since', since, '--zone', 'Asia/Tokyo'])
  expect(code).toBe(0)
  const post = await kit.api.posts.get({ params: { id: failing?.id ?? '' } })
  expect(post.status).toBe('failed')
  expect(stdout).toContain(
    `21:00:00  post.scheduled  nostr:${shortKey}  "A text that succeeds"  for Tue, Jan 1 2030, 22:00`,
  )
  expect(stdout).toMatch(
    /2030-01-0\d \d\d:\d\d:\d\d {2}post\.publish_failed {2}bluesky:\S+ {2}"A text that fails, and goes on and goes…"/,
  )
  expect(stdout).toContain(`"  ${post.error}\n`)
  // IDs are for programs.
  expect(stdout).not.toContain(post.id)
  const lines = (await social.run(['logs', '--since', since, '--json'])).stdout
  for (const whole of [post.id, nostr]) expect(lines).toContain(whole)
})

test('a table shows a short key, "--account" takes it as well as the whole, and JSON has the whole', async () => {
  await schedule('Under a short key', nostr, hourMs)
  expect((await social.run(['accounts'])).stdout).toMatch(new RegExp(`^nostr:${shortKey} `, 'm'))
  const { stdout } = await social.run(['posts', '--search', 'Under a short key'])
  expect(stdout).toContain(` nostr:${shortKey} `)
  expect(stdout).not.toContain(npub)
  for (const given of [npub, `nostr:${npub}`, shortKey, `nostr:${shortKey}`]) {
    const { data } = await social.json(['posts', '--account', given, '--search', 'Under a short key'])
    expect([given, data]).toMatchObject([given, [{ socialAccountId: nostr }]])
  }
  expect((await social.json(['accounts'])).data).toContainEqual(expect.objectContaining({ id: nostr, username: npub }))
})

/** A service with these accounts and nothing else. */
const serviceWith = async (accounts: readonly object[]) => {
  const port = await listen(
    createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ success: true, data: accounts }))
    }),
  )
  return { SOCIAL_BASE_URL: `http://127.0.0.1:${port}` }
}

const account = (id: string, providerId: string, username: string, displayName = '') => ({
  id,
  providerId,
  username,
  displayName,
  isConnected: true,
  needsReconnect: false,
  externalId: null,
})

test('keys that would look the same stay whole, and their short form names both', async () => {
  const keys = ['a', 'b'].map((letter) => `npub1same${letter.repeat(50)}ends`)
  const env = await serviceWith(keys.map((key, at) => account(`acc_${at}`, 'nostr', key)))
  const { stdout } = await social.run(['accounts'], { env })
  for (const key of keys) expect(stdout).toContain(`nostr:${key} `)
  const refused = await social.run(['posts', '--account', 'npub1same…ends'], { env })
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('"npub1same…ends" is 2 accounts: nostr:') })
  for (const key of keys) expect(refused.stderr).toContain(key)
})

test.runIf(hasPython)('tables fit a terminal: names become shorter, and the last column moves beneath', async () => {
  const server = 'a-server-with-a-long-name.social.example'
  const id = (letter: string) => `acc_${letter.repeat(25)}`
  const env = await serviceWith([
    account(id('a'), 'mastodon', `ann@${server}`, 'Ann, who has a name that no terminal has room for'),
    account(id('b'), 'mastodon', `ben@${server}`, 'Ben'),
  ])
  const terminal = social.inTerminal(['accounts'], env)
  expect(await terminal.ended).toBe(0)
  const lines = terminal.output().trimEnd().split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  // An ID is never cut, and a name that is still names its account.
  for (const letter of ['a', 'b']) expect(terminal.output()).toContain(id(letter))
  const [shown = ''] = /mastodon:ann\S+…\S+/.exec(terminal.output()) ?? []
  const { data } = await social.json(['accounts', 'disconnect', shown], { env })
  expect(data.error.message).toBe('Add --yes: there is no terminal to ask in.')
  // Where nobody reads, nothing is cut.
  expect((await social.run(['accounts'], { env })).stdout).toContain('a name that no terminal has room for')
})

test.runIf(hasPython)('the posts of a long key fit a terminal', async () => {
  await schedule('A text under its line', nostr, hourMs)
  const terminal = social.inTerminal(['posts', '--search', 'A text under'])
  expect(await terminal.ended).toBe(0)
  expect(terminal.output()).toMatch(new RegExp(`scheduled .+ nostr:${shortKey}\n {2}A text under its line\n`))
  for (const line of terminal.output().split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})
