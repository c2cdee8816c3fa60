import { afterAll, beforeAll, expect, test } from 'vitest'
import { threadsSeed } from '../../../infra/local/platforms/threads.ts'
import { minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'

let kit: Kit
let account: string
beforeAll(async () => {
  kit = await start()
  account = await connectOn(kit, 'threads')
})
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})

const schedule = async (content: string, mediaUrls: string[], inMs: number) => {
  const dueMs = kit.clock.now() + inMs
  const scheduledAt = new Date(dueMs).toISOString()
  const body = { socialAccountIds: [account], content, mediaUrls, scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  return { id, dueMs }
}

test('a profile is connected through Threads and shown with its public details', async () => {
  const accounts = await kit.api.socialAccounts.list()
  const [person] = threadsSeed.people
  expect(accounts.find(({ id }) => id === account)).toMatchObject({
    providerId: 'threads',
    providerName: 'Threads',
    username: person.username,
    displayName: person.name,
    isConnected: true,
  })
})

test.each([
  ['a text', 0],
  ['one picture', 1],
  ['three pictures', 3],
])('%s is published on time, once, with its URL', async (kind, pictures) => {
  const media = []
  for (let n = 0; n < pictures; n += 1) media.push((await uploadPng(kit)).id)
  const { id, dueMs } = await schedule(`About ${kind}`, media, 10 * minuteMs)
  await kit.service.pass(9 * minuteMs)
  expect((await kit.api.posts.get({ params: { id } })).status).toBe('scheduled')
  await kit.service.pass(2 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  const [shown, ...more] = kit.platforms.published().filter(({ text }) => text === `About ${kind}`)
  expect(more).toEqual([])
  expect(post).toMatchObject({ status: 'published', publishedPostUrl: shown?.url, error: null })
  expect(shown?.media).toHaveLength(pictures)
  expect((shown?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
  expect((shown?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(1000)
})

test('a post with a poll and who can reply is published with both, after a lost response once', async () => {
  const metadata = {
    threads: { poll: { options: ['Rye', 'Spelt'] }, replyControl: 'followers_only', topicTag: 'Bread' },
  }
  kit.platforms.faults.add({ platform: 'threads', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const body = { socialAccountIds: [account], content: 'Which loaf?', metadata }
  const [{ id = '' } = {}] = await kit.api.posts.publishNow({ body })
  await kit.service.pass(10 * minuteMs)
  const shown = kit.platforms.published().filter(({ text }) => text === 'Which loaf?')
  expect(shown.map(({ extras }) => extras)).toEqual([['topic: Bread', 'replies: followers_only', 'poll: Rye | Spelt']])
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown[0]?.url,
    metadata,
  })
  const refused = { ...body, mediaUrls: [(await uploadPng(kit)).id] }
  expect((await kit.api.posts.validate({ body: refused })).issues).toMatchObject([
    { code: 'metadata_invalid', field: 'metadata.threads.poll' },
  ])
})

test('an image published immediately is live as soon as Threads has processed it', async () => {
  const mediaUrls = [(await uploadPng(kit)).id]
  const body = { socialAccountIds: [account], content: 'Now', mediaUrls }
  const [{ id = '' } = {}] = await kit.api.posts.publishNow({ body })
  await kit.service.pass(minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  expect(kit.platforms.published().filter(({ text }) => text === 'Now')).toHaveLength(1)
})

test('rejects invalid posts at schedule time', async () => {
  const codes = async (content: string, mediaUrls: string[] = []) => {
    const { issues } = await kit.api.posts.validate({ body: { socialAccountIds: [account], content, mediaUrls } })
    return issues.map(({ code }) => code)
  }
  expect(await codes('x'.repeat(500))).toEqual([])
  expect(await codes('x'.repeat(501))).toEqual(['content_length'])
  expect(await codes(`${'x'.repeat(497)}😀`)).toEqual(['content_length'])
  expect(await codes(' ')).toEqual(['content_empty'])
  expect(await codes(Array.from({ length: 6 }, (_, n) => `https://x.test/${n}`).join(' '))).toEqual(['link_limit'])
})
