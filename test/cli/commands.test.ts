import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkConnect } from '../../infra/local/demo/walk-connect.ts'
import { png } from '../media/files.ts'
import { freePort } from '../net/free-port.ts'
import { listen } from '../net/listen.ts'
import { type Kit, start } from '../support/start.ts'
import { makeHook, receivedBy } from '../webhooks/hooks.ts'
import { makeSocial, type RunOptions, type Social } from './social.ts'

let kit: Kit
let social: Social
beforeAll(async () => {
  // The service delivers to no address of this machine but the one that listens.
  const port = await freePort()
  kit = await start({ time: 'real', allowedOrigins: [`http://127.0.0.1:${port}`] })
  social = await makeSocial()
  const folder = join(social.home, '.config/social')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'listen.json'), JSON.stringify({ [`${kit.url} ${kit.workspaceId} endpoint`]: { port } }))
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

const done = async (args: readonly string[], options: RunOptions = {}) => {
  const ended = await social.json(args, options)
  expect([args, ended.code, ended.stderr]).toEqual([args, 0, expect.any(String)])
  return ended.data
}

test('a token of the environment is used without a profile, and another workspace is chosen by name', async () => {
  expect(await done(['whoami'])).toMatchObject({
    baseUrl: kit.url,
    profile: null,
    signedInWith: 'session',
    user: { email: kit.user.email },
    workspace: { id: kit.workspaceId, name: 'Acme', role: 'owner' },
  })
  expect(await done(['workspaces'])).toMatchObject([{ id: kit.workspaceId }])
  expect(await done(['accounts', '-w', 'Acme'])).toHaveLength(2)
  expect(await social.json(['accounts', '-w', 'Nowhere'])).toMatchObject({ code: 2 })
})

test('a token from stdin becomes a profile; profiles have their own workspaces', async () => {
  const env = { SOCIAL_TOKEN: '', SOCIAL_BASE_URL: '', SOCIAL_WORKSPACE: '' }
  const args = ['login', kit.url, '--token-stdin', '--profile', 'ci']
  const signedIn = await social.json(args, { env, input: `${kit.pat}\n` })
  expect(signedIn).toMatchObject({ code: 0, data: { profile: 'ci', baseUrl: kit.url, workspaceId: kit.workspaceId } })
  expect(signedIn.stdout + signedIn.stderr).not.toContain(kit.pat)
  expect(await done(['whoami', '--profile', 'ci'], { env })).toMatchObject({ profile: 'ci', signedInWith: 'token' })
  expect(await done(['accounts'], { env: { ...env, SOCIAL_PROFILE: 'ci' } })).toHaveLength(2)
  expect(await social.json(['accounts', '--profile', 'other'], { env })).toMatchObject({ code: 3 })
  // What takes a session says so.
  const refused = await social.run(['webhooks'], { env })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/social login/)
  const wrong = await social.json(args, { env, input: `${kit.pat.slice(0, -3)}abc` })
  expect(wrong).toMatchObject({ code: 3 })
  const out = await social.run(['logout', '--profile', 'ci'], { env })
  expect(out).toMatchObject({ code: 0, stderr: expect.stringContaining('stays valid') })
})

test('posts are scheduled with the zone echoed, listed, moved, edited, cancelled, and watched', async () => {
  const output = await social.run([
    'post',
    'From the terminal',
    '-a',
    'bluesky',
    '--at',
    '2030-11-24 9:00',
    '--zone',
    'Europe/Berlin',
  ])
  expect(output.stdout).toContain('Scheduled for Sun, Nov 24 2030, 09:00 (Europe/Berlin, UTC+1).')
  const [post] = await done(['posts', '--search', 'From the terminal'])
  expect(post).toMatchObject({ status: 'scheduled', scheduledAt: '2030-11-24T08:00:00.000Z' })
  const [later] = await done(['post', 'A day later', '-a', 'bluesky', '--at', '2030-11-25 9:00'])
  const between = async (from: string, to: string, ...more: string[]): Promise<string[]> =>
    (await done(['posts', 'list', '--from', from, '--to', to, ...more])).map(({ id }: { id: string }) => id)
  // In the zone of the machine, the earliest first; the end is not included.
  expect(await between('2030-11-24 9:00', '2030-11-25 9:01')).toEqual([post.id, later.id])
  expect(await between('2030-11-24 9:00', '2030-11-25 9:00')).toEqual([post.id])
  expect(await between('2030-11-24 9:01', '2030-11-25 9:01', '--status', 'scheduled')).toEqual([later.id])
  expect(await between('2030-11-24 8:00', '2030-11-25 8:01', '--zone', 'UTC')).toEqual([post.id, later.id])
  expect(await between('2030-11-24 9:00', '2030-11-25 9:01', '--sort', 'createdAt')).toEqual([later.id, post.id])
  const moved = await done(['posts', 'reschedule', post.id, '--at', '2030-12-24T09:00:00Z'])
  expect(moved).toMatchObject({ plannedAt: '2030-12-24T09:00:00.000Z' })
  expect(await done(['posts', 'edit', post.id, '--content', 'Edited'])).toMatchObject({ content: 'Edited' })
  expect(await done(['posts', 'edit', post.id, '-f', '-'], { input: 'Edited again\n' })).toMatchObject({
    content: 'Edited again',
  })
  expect((await social.run(['posts', 'get', post.id])).stdout).toMatch(/status: +scheduled\n[\s\S]+Edited again/)
  expect(await done(['posts', 'cancel', post.id])).toMatchObject({ status: 'cancelled' })
  expect(await social.json(['posts', 'cancel', post.id, post.id])).toMatchObject({ code: 4 })
  const again = await social.json(['posts', 'cancel', post.id])
  expect(again).toMatchObject({
    code: 1,
    data: { error: { code: 'invalid_post_status', status: 400, requestId: expect.any(String) } },
  })

  const options = ['--external-id', 'cli-1', '--first-comment', 'The first one']
  const [now] = await done(['post', '-', '-a', 'bluesky', ...options], { input: 'Read from stdin\n' })
  const firstComment = { text: 'The first one', status: 'scheduled' }
  expect(now).toMatchObject({ content: 'Read from stdin', externalId: 'cli-1', firstComment })
  const watched = await social.run(['posts', 'watch', now.id, '--json'])
  expect(watched.code).toBe(0)
  const states = watched.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).status)
  expect(states.at(-1)).toBe('published')
}, 60_000)

test('a post with a file waits for its outcome, and a failed one ends with 4', async () => {
  writeFileSync(join(social.home, 'cat.png'), await png(32, 32))
  const [post] = await done(['post', 'A cat', '-a', 'bluesky', '-m', 'cat.png', '--alt', 'A cat in the sun', '--wait'])
  expect(post).toMatchObject({
    status: 'published',
    publishedPostUrl: expect.stringMatching(/^https:/),
    mediaUrls: [expect.any(String)],
  })
  const [asset] = await done(['media'])
  expect(asset).toMatchObject({ originalFilename: 'cat.png', altText: 'A cat in the sun' })
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400 })
  const failed = await social.json(['post', 'Rejected', '-a', 'bluesky', '--wait'])
  expect(failed).toMatchObject({ code: 4, data: [{ status: 'failed' }] })
}, 60_000)

test('a text that is repeated within a day is posted, with a warning on stderr', async () => {
  const repeat = ['post', 'Once more', '-a', 'bluesky', '--at', 'tomorrow 9:00']
  expect((await social.run(repeat)).stderr).not.toContain('Warning')
  expect(await social.json([...repeat, '--dry-run'])).toMatchObject({
    data: { valid: true, warnings: [{ code: 'duplicate_text' }] },
  })
  const { code, stderr } = await social.run(repeat)
  expect([code, stderr]).toEqual([0, expect.stringContaining('Warning: The same text goes to this account at ')])
})

test('a dry run sends nothing and names every issue; a thread is checked part by part', async () => {
  const before = await done(['posts'])
  const long = 'x'.repeat(301)
  expect(await done(['post', 'Fine', '-a', 'bluesky', '--dry-run'])).toMatchObject({ valid: true, issues: [] })
  const invalid = await social.json(['post', long, '-a', 'bluesky', '--dry-run'])
  expect(invalid).toMatchObject({ code: 4, data: { valid: false, issues: [{ code: 'content_length' }] } })
  const people = await social.run(['post', long, '-a', 'bluesky', '--dry-run'])
  expect(people.stdout).toMatch(/Bluesky: 301\/300/)
  const refused = await social.run(['post', long, '-a', 'bluesky'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/Bluesky: 301\/300[\s\S]+\(code \w+, request \S+, http/)
  // The error is printed once: one line for the rule, one for support.
  expect(refused.stderr.match(/301\/300/g)).toHaveLength(1)
  expect(await social.run(['post', '--thread', '-a', 'discord', 'One\n---\nTwo'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Threads are for accounts on x, bluesky, threads, mastodon, or nostr'),
  })
  expect(await social.run(['post', 'Where?'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Choose accounts with --account: bluesky:\S+, discord:/),
  })
  const thread = ['post', '--thread', `One\n---\n${long}`, '--dry-run']
  const checked = { code: 4, data: { issues: [{ part: 2, code: 'content_length' }] } }
  // The only account with threads is on Bluesky.
  expect(await social.json(thread)).toMatchObject(checked)
  await walkConnect({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: kit.workspaceId }, 'x')
  expect(await social.run(thread)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Choose accounts with --account: bluesky:\S+, x:/),
  })
  expect(await social.json([...thread, '-a', 'x'])).toMatchObject(checked)
  expect(await done(['posts'])).toHaveLength(before.length)
}, 60_000)

test('an account is connected by its address, and disconnected by its name', async () => {
  const { authorizeUrl } = await done(['accounts', 'connect', 'linkedin', '--no-wait'])
  expect(authorizeUrl).toContain(kit.url)
  const named = ['accounts', 'connect', 'mastodon', '--server', 'social.mastodon.test', '--no-wait']
  const page = await fetch((await done(named)).authorizeUrl)
  expect(await page.text()).toContain('your Mastodon account at social.mastodon.test')
  const child = social.launch(['accounts', 'connect', 'tumblr'])
  expect((await once(child, 'close'))[0]).toBe(2)
  const waiting = social.run(['accounts', 'connect', 'reddit'])
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await walkConnect({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: kit.workspaceId }, 'reddit')
  const connected = await waiting
  expect(connected).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Connected: reddit:/) })
  expect(await social.run(['accounts', 'disconnect', 'reddit'])).toMatchObject({
    code: 2,
    stderr: 'Add --yes: there is no terminal to ask in.\n',
  })
  expect((await done(['accounts', 'disconnect', 'reddit', '--yes'])).id).toMatch(/^acc_/)
}, 60_000)

test('drafts are written, listed, edited, printed, and deleted', async () => {
  const draft = await done(['drafts', 'create', 'An idea', '--name', 'Idea', '-a', 'bluesky'])
  expect(draft).toMatchObject({ name: 'Idea', socialAccountIds: [kit.accounts.bluesky] })
  expect(await done(['drafts'])).toMatchObject([{ id: draft.id }])
  expect(await done(['drafts', 'edit', draft.id, '--content', 'A better idea'])).toMatchObject({ version: 2 })
  expect((await social.run(['drafts', 'get', draft.id])).stdout).toBe('A better idea\n')
  expect(await done(['drafts', 'delete', draft.id])).toMatchObject({ deleted: true })
  expect(await social.json(['drafts', 'get', draft.id])).toMatchObject({
    code: 1,
    data: { error: { code: 'draft_not_found' } },
  })
})

test('webhooks are created, forwarded, listed with their deliveries, and replayed', async () => {
  const created = await done([
    'webhooks',
    'create',
    'https://example.com/hooks',
    '--name',
    'Hooks',
    '--events',
    'post.published',
  ])
  expect(created).toMatchObject({ events: ['post.published'], secret: expect.stringMatching(/^whsec_/) })
  const received: string[] = []
  const app = createServer(async (request, response) => {
    received.push(JSON.parse(Buffer.concat(await request.toArray()).toString()).type)
    response.writeHead(204).end()
  })
  const port = await listen(app)
  const listening = social.launch(['webhooks', 'listen', String(port), '--events', 'post.scheduled', '--json'])
  let [lines, notes] = ['', '']
  listening.stdout.on('data', (chunk: Buffer) => (lines += chunk))
  listening.stderr.on('data', (chunk: Buffer) => (notes += chunk))
  try {
    await expect.poll(() => notes, { timeout: 20_000 }).toContain('The signing secret is whsec_')
    await done(['post', 'Forwarded', '-a', 'bluesky', '--at', 'tomorrow 9:00'])
    await expect.poll(() => lines.includes('\n'), { timeout: 20_000 }).toBe(true)
  } finally {
    listening.kill('SIGINT')
  }
  expect((await once(listening, 'close'))[0]).toBe(130)
  app.close()
  expect(received).toEqual(['post.scheduled'])
  expect(JSON.parse(lines)).toMatchObject({ type: 'post.scheduled', genuine: true, status: 204 })
  const endpoints = await done(['webhooks'])
  expect(endpoints.map(({ name }: { name: string }) => name).sort()).toEqual(['Hooks', 'social webhooks listen'])
  expect(await done(['webhooks', 'deliveries', 'social webhooks listen'])).toMatchObject([
    { eventType: 'post.scheduled', httpStatus: 204 },
  ])
  expect(await done(['webhooks', 'replay', 'Hooks', '--since', '1 hour ago', '--all'])).toMatchObject({ scope: 'all' })
  expect(readFileSync(join(social.home, '.config/social/listen.json'), 'utf8')).toContain('whsec_')
}, 60_000)

test('a test event is sent to an endpoint, and the delivery is shown with its response', async () => {
  const { id } = await makeHook(kit, 'hook', { events: ['post.published'] })
  const sent = await done(['trigger', id])
  expect(sent).toMatchObject({ cause: 'test', eventType: 'post.published', status: 'succeeded', httpStatus: 200 })
  const [received] = receivedBy(kit, 'hook')
  expect(received?.verified).toBe(true)
  expect(JSON.parse(received?.rawBody ?? '')).toMatchObject({ id: sent.eventId, data: { test: true } })
  const output = await social.run(['trigger', 'hook'])
  expect([output.code, output.stderr]).toEqual([0, ''])
  expect(output.stdout).toMatch(/^post\.published {2}succeeded {2}200 {2}\d+ ms\nok\n$/)
  kit.inbox.behaviors.add({ name: 'hook', times: 2, status: 500 })
  const failed = await social.run(['trigger', id])
  expect(failed).toMatchObject({ code: 4, stderr: 'The endpoint did not accept the test event.\n' })
  expect(failed.stdout).toMatch(/^post\.published {2}failed {2}500 {2}\d+ ms\n/)
  expect(await social.json(['trigger', id])).toMatchObject({ code: 4, data: { status: 'failed', httpStatus: 500 } })
  kit.inbox.behaviors.add({ name: 'hook', times: 1, hang: true })
  expect(await social.run(['trigger', id, '--timeout', '1'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^dlv_\w+ is still pending\. See later: social webhooks deliveries whe_\w+\n$/),
  })
  expect(await social.json(['trigger', 'nowhere'])).toMatchObject({
    code: 2,
    data: { error: { message: '"nowhere" is not a webhook endpoint. "social webhooks" lists them.' } },
  })
}, 60_000)

test('the log prints events as lines of JSON, and pages have addresses', async () => {
  const { code, stdout } = await social.run(['logs', '--since', '1 hour ago', '--json'])
  expect(code).toBe(0)
  // The last 90 seconds are withheld.
  for (const line of stdout.split('\n').filter(Boolean)) expect(JSON.parse(line)).toHaveProperty('type')
  expect(await done(['open'])).toEqual({ url: `${kit.url}/workspace?id=${kit.workspaceId}` })
  const pages = [...['docs', 'guides', 'workspaces', 'workspace'].map((page) => social.run(['open', page]))]
  for (const { stdout: url } of await Promise.all(pages)) {
    const answer = await fetch(url.trim(), { headers: { cookie: `svc_session=${kit.sessionToken}` } })
    expect([url, answer.status]).toEqual([url, 200])
  }
})

test('a service that does not respond, and a token that has ended, say what to do', async () => {
  const unreachable = await social.run(['posts'], { env: { SOCIAL_BASE_URL: 'http://127.0.0.1:9' } })
  expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('The connection failed') })
  const ended = await social.run(['posts'], { env: { SOCIAL_TOKEN: `${kit.sessionToken.slice(0, -2)}xy` } })
  expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('Sign in again: social login') })
}, 60_000)
