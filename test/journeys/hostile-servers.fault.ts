import { expect, test } from 'vitest'
import { mastodonSeed } from '../../infra/local/platforms/mastodon.ts'
import { minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { newWordPressLogin } from '../support/world/preparations.ts'
import { expectSound } from './invariants.ts'

/** What a user-named server can return instead of the URL of a post or of a picture. */
const addresses = [
  'javascript:alert(document.domain)',
  'data:text/html,<script>alert(1)</script>',
  'http://10.0.0.1/"><img src=x>',
  'https://10.0.0.1/picture.png',
  'vbscript:x',
  '//elsewhere.test/post',
  'no address',
  `https://elsewhere.test/${'x'.repeat(300_000)}`,
]
const elsewhere = ['https://elsewhere.test/post', `https://${mastodonSeed.server}@elsewhere.test/post`]

const published = async (kit: Kit, account: string, content: string, firstComment?: string) => {
  const scheduledAt = new Date(kit.clock.now() + 2 * minuteMs).toISOString()
  const comment = firstComment === undefined ? {} : { firstComment: { text: firstComment } }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({
    body: { socialAccountIds: [account], content, scheduledAt, ...comment },
  })
  await kit.service.pass(3 * minuteMs)
  return kit.api.posts.get({ params: { id } })
}

test.each([
  ['mastodon', (url: string) => ({ id: '1', url })],
  ['wordpress', (link: string) => ({ id: 1, status: 'publish', link })],
  ['facebook', (permalink_url: string) => ({ id: '1_1', permalink_url })],
] as const)('%s: the address of a post is https and at its server, or null with a warning', async (platform, bodyWith) => {
  const kit = await start()
  const account = await connectOn(kit, platform)
  const attemptsOf = async (id: string) => (await kit.api.posts.listAttempts({ params: { id } })).items.at(-1)
  const own = await published(kit, account, 'With its own address')
  expect(own.publishedPostUrl).toMatch(/^https:\/\//)
  expect((await attemptsOf(own.id))?.summary).not.toContain('left out')
  for (const address of [...addresses, ...elsewhere]) {
    kit.platforms.faults.add({ platform, operation: 'create', times: 1, fault: 'wrong_json', body: bodyWith(address) })
    const post = await published(kit, account, `With ${address.slice(0, 60)}`)
    expect([post.status, post.publishedPostUrl], address).toEqual(['published', null])
    expect((await attemptsOf(post.id))?.summary, address).toContain(
      'returned an address of the post that does not belong to it',
    )
  }
  await kit.service.drain()
  await expectSound(kit)
})

test('the address of a first comment is one of its server, or null', async () => {
  const kit = await start()
  const account = await connectOn(kit, 'wordpress')
  const body = { id: 7, status: 'approved', link: addresses[0] }
  kit.platforms.faults.add({ platform: 'wordpress', operation: 'comment', times: 1, fault: 'wrong_json', body })
  const { id } = await published(kit, account, 'A post', 'A comment')
  await kit.service.pass(5 * minuteMs)
  expect((await kit.api.posts.get({ params: { id } })).firstComment).toMatchObject({ status: 'published', url: null })
})

test('an ID that cannot be stored leaves the outcome unknown, until the server shows the post', async () => {
  const kit = await start()
  const account = await connectOn(kit, 'mastodon')
  const body = { id: '9'.repeat(300_000), url: null }
  kit.platforms.faults.add({ platform: 'mastodon', operation: 'create', times: 1, fault: 'wrong_json', body })
  const { id } = await published(kit, account, 'With an endless ID')
  await kit.service.pass(10 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: expect.stringContaining(mastodonSeed.server),
  })
  expect(kit.platforms.published().filter(({ text }) => text === 'With an endless ID')).toHaveLength(1)
  await kit.service.drain()
  await expectSound(kit)
})

test('a server that never shows a usable ID ends a post as unknown, and publishes it once', async () => {
  const kit = await start()
  const account = await connectOn(kit, 'mastodon')
  const body = { id: '9'.repeat(300_000), url: null }
  const on = { platform: 'mastodon', fault: 'wrong_json' } as const
  kit.platforms.faults.add({ ...on, operation: 'create', times: 1, body })
  kit.platforms.faults.add({ ...on, operation: 'read', times: 1_000_000, body: [{ ...body, content: '' }] })
  const { id } = await published(kit, account, 'Never shown')
  await kit.service.pass(7 * 60 * minuteMs, { tickMinutes: 5 })
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'failed' })
  expect(kit.platforms.calls().filter(({ operation }) => operation === 'create')).toHaveLength(1)
})

test('names are cut, and pictures are public https addresses or null', async () => {
  const kit = await start()
  const long = `A\n${'ä'.repeat(330_000)}`
  const shown = async (providerId: string) =>
    (await kit.api.socialAccounts.list()).filter((account) => account.providerId === providerId)
  for (const avatar of addresses) {
    const profile = { id: '1', acct: long, username: long, display_name: long, avatar }
    const me = { id: 1, username: long, name: long, avatar_urls: { 96: avatar } }
    const once = { times: 1, fault: 'wrong_json' } as const
    kit.platforms.faults.add({ ...once, platform: 'mastodon', operation: 'profile', body: profile })
    kit.platforms.faults.add({ ...once, platform: 'wordpress', operation: 'me', body: me })
    await connectOn(kit, 'mastodon')
    await kit.api.socialAccounts.connectWordpress({ body: newWordPressLogin })
    for (const platform of ['mastodon', 'wordpress']) {
      const [account, ...more] = await shown(platform)
      expect(more).toEqual([])
      expect(account?.profileImageUrl, `${platform}: ${avatar.slice(0, 60)}`).toBe(null)
      expect(account?.displayName).toHaveLength(400)
      expect(account?.displayName).not.toContain('\n')
      expect(account?.username?.length).toBeLessThanOrEqual(400)
      expect(account?.username).toMatch(/@[a-z.]+\.test$/)
    }
  }
})

test('an account whose ID cannot be stored is not connected', async () => {
  const kit = await start()
  const profile = { id: 'x'.repeat(100_000), acct: 'ann', display_name: 'Ann' }
  kit.platforms.faults.add({ platform: 'mastodon', operation: 'profile', times: 1, fault: 'wrong_json', body: profile })
  await expect(connectOn(kit, 'mastodon')).rejects.toThrow()
  expect((await kit.api.socialAccounts.list()).filter(({ providerId }) => providerId === 'mastodon')).toEqual([])
})

test('the name of a Mastodon account ends in the host that was called', async () => {
  const kit = await start()
  const profile = { id: '1', acct: 'ceo@mastodon.social', username: 'ceo', display_name: 'CEO' }
  const once = { platform: 'mastodon', times: 1, fault: 'wrong_json' } as const
  kit.platforms.faults.add({ ...once, operation: 'instance', body: { domain: 'mastodon.social' } })
  kit.platforms.faults.add({ ...once, operation: 'profile', body: profile })
  await connectOn(kit, 'mastodon')
  expect(await kit.api.socialAccounts.list()).toContainEqual(
    expect.objectContaining({ username: `ceo@${mastodonSeed.server}` }),
  )
})
