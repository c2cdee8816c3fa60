import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { eventsOf, listen } from './author.ts'
import { expectCapOfRows, expectSound } from './invariants.ts'
import { uploadPng } from './upload.ts'

let kit: Kit
let x: string

beforeAll(async () => {
  kit = await start()
  await listen(kit)
  x = await connectOn(kit, 'x')
})

afterAll(async () => {
  await expectSound(kit)
  await expectCapOfRows(kit)
  await kit.close()
})

const at = (inMs: number) => new Date(kit.clock.now() + inMs).toISOString()
const tweetsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ content: `${name} ${n + 1}` }))

const schedule = (name: string, count: number, inMs = 10 * minuteMs) =>
  kit.api.posts.scheduleThread({
    body: { socialAccountId: x, tweets: tweetsOf(name, count), scheduledAt: at(inMs) },
  })

const live = (name: string) =>
  kit.platforms
    .published()
    .filter(({ platform, text }) => platform === 'x' && text.startsWith(`${name} `))
    .sort((a, b) => (a.text < b.text ? -1 : 1))

const shown = async (ids: readonly string[]) => Promise.all(ids.map((id) => kit.api.posts.get({ params: { id } })))
const statuses = async (ids: readonly string[]) => (await shown(ids)).map(({ status }) => status)
const used = async () => (await kit.api.posts.xCapUsage()).used

test('the first tweet of a thread has its poll and who may reply, and each tweet its labels', async () => {
  const poll = { options: ['Rye', 'Spelt'], durationMinutes: 60 }
  const { postIds } = await kit.api.posts.publishThreadNow({
    body: {
      socialAccountId: x,
      tweets: [{ content: 'labels 1' }, { content: 'labels 2', mediaUrls: [(await uploadPng(kit)).id] }],
      metadata: { x: { poll, replySettings: 'verified', paidPartnership: true }, mine: 'kept' },
    },
  })
  await kit.service.pass(2 * minuteMs)
  expect(live('labels').map(({ extras }) => extras)).toEqual([
    ['poll: Rye | Spelt (60 min)', 'replies: verified', 'paid partnership'],
    ['paid partnership'],
  ])
  expect((await shown(postIds)).map(({ metadata }) => metadata)).toEqual([
    { x: { poll, replySettings: 'verified', paidPartnership: true } },
    { x: { paidPartnership: true } },
  ])
  const media = { content: 'labels 1', mediaUrls: [(await uploadPng(kit)).id] }
  const body = { socialAccountId: x, tweets: [media, { content: 'labels 2' }], metadata: { x: { poll } } }
  await expect(kit.api.posts.publishThreadNow({ body })).rejects.toMatchObject({
    status: 400,
    body: { code: 'metadata_invalid', issues: [{ field: 'metadata.x.poll' }] },
  })
})

test('publishes a thread on time, each tweet as a reply to the previous one, with its own media', async () => {
  const picture = (await uploadPng(kit)).id
  const dueMs = kit.clock.now() + 10 * minuteMs
  const before = await used()
  const { threadHeadPost, totalTweets, postIds } = await kit.api.posts.scheduleThread({
    body: {
      socialAccountId: x,
      tweets: [{ content: 'story 1' }, { content: 'story 2', mediaUrls: [picture] }, { content: 'story 3' }],
      scheduledAt: new Date(dueMs).toISOString(),
    },
  })
  expect([totalTweets, postIds.length, new Set(postIds).size]).toEqual([3, 3, 3])
  expect(threadHeadPost).toMatchObject({ id: postIds[0], content: 'story 1', status: 'scheduled' })
  expect(await statuses(postIds)).toEqual(['scheduled', 'scheduled', 'scheduled'])
  expect(await used()).toBe(before + 3)
  await kit.service.pass(11 * minuteMs)
  const [first, second, third] = live('story')
  expect([first?.replyTo, second?.replyTo, third?.replyTo]).toEqual([null, first?.url, second?.url])
  expect([first?.media.length, second?.media.length]).toEqual([0, 1])
  expect((first?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
  expect((third?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(5_000)
  const all = await shown(postIds)
  expect(all.map(({ publishedPostUrl }) => publishedPostUrl)).toEqual([first?.url, second?.url, third?.url])
  expect(all.map(({ groupId }) => groupId)).toEqual([all[0]?.groupId, all[0]?.groupId, all[0]?.groupId])
  for (const id of postIds)
    expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
  const expectedThreads = [1, 2, 3].map((position) => ({ headPostId: postIds[0], position, totalTweets: 3 }))
  expect(all.map(({ thread }) => thread)).toEqual(expectedThreads)
  expect(
    (await kit.api.posts.list({ query: { groupId: all[0]?.groupId ?? '' } })).items.map(({ thread }) => thread),
  ).toEqual(expectedThreads.toReversed())
  // Uploaded before the time, not between the tweets.
  const upload = kit.platforms.calls().findLast(({ operation }) => operation === 'upload')
  expect(upload?.at).toBeLessThan(dueMs)
})

test('publish-now: the tweets follow each other without another request of the author', async () => {
  const { postIds } = await kit.api.posts.publishThreadNow({
    body: { socialAccountId: x, tweets: tweetsOf('now', 25) },
  })
  await kit.service.drain()
  expect(live('now')).toHaveLength(25)
  expect(new Set(await statuses(postIds))).toEqual(new Set(['published']))
})

test('a tweet in the middle fails permanently: what is live is reported, the rest is not sent, and reschedule continues there', async () => {
  const before = await used()
  const { postIds } = await schedule('broken', 5)
  const refused = { title: 'Invalid Request', detail: 'a bad word', type: 'x/invalid-request' }
  kit.platforms.faults.add([
    { platform: 'x', operation: 'create', times: 2, fault: 'slow', delayMs: 1 },
    { platform: 'x', operation: 'create', times: 1, fault: 'status', status: 400, body: refused },
  ])
  await kit.service.pass(11 * minuteMs)
  expect(live('broken').map(({ text }) => text)).toEqual(['broken 1', 'broken 2'])
  expect(await statuses(postIds)).toEqual(['published', 'published', 'failed', 'failed', 'failed'])
  const [one, two, three, four] = await shown(postIds)
  expect(three?.error).toBe('2 of 5 tweets are live. X rejected the post: a bad word')
  expect(four?.error).toBe('Not sent: tweet 3 of 5 failed.')
  // A client that fetches the post sees the same data as the webhook.
  expect([two, three, four].map((post) => [post?.reason, post?.retrySafe])).toEqual([
    [null, null],
    ['rejected', true],
    ['thread_broken', true],
  ])
  const lastEvent = eventsOf(kit, postIds[2] ?? '').at(-1)
  const ids = [one, two].map((post) => post?.publishedPostUrl?.split('/').at(-1))
  expect(lastEvent).toMatchObject({
    type: 'post.publish_failed',
    data: { publishedCount: 2, totalTweets: 5, tweetIds: ids },
  })
  expect(eventsOf(kit, postIds[3] ?? '').at(-1)?.data).toMatchObject({ reason: 'thread_broken', retrySafe: true })
  expect(await used()).toBe(before + 2)

  const [head = ''] = postIds
  const again = await kit.api.posts.reschedule({ params: { id: head }, body: { scheduledAt: at(5 * minuteMs) } })
  expect(again).toMatchObject({ id: head, status: 'published' })
  expect(await statuses(postIds)).toEqual(['published', 'published', 'scheduled', 'scheduled', 'scheduled'])
  expect((await shown(postIds)).map(({ reason, retrySafe }) => reason ?? retrySafe)).toEqual(postIds.map(() => null))
  expect(await used()).toBe(before + 5)
  await kit.service.pass(6 * minuteMs)
  const whole = live('broken')
  expect(whole.map(({ text }) => text)).toEqual(['broken 1', 'broken 2', 'broken 3', 'broken 4', 'broken 5'])
  expect(whole.map(({ replyTo }) => replyTo)).toEqual([null, ...whole.slice(0, 4).map(({ url }) => url)])
})

test('a lost response in the middle of a thread: nothing is duplicated, and the thread continues', async () => {
  const { postIds } = await schedule('lost', 4)
  kit.platforms.faults.add([
    { platform: 'x', operation: 'create', times: 1, fault: 'slow', delayMs: 1 },
    { platform: 'x', operation: 'create', times: 1, fault: 'landed_then_reset' },
  ])
  await kit.service.pass(15 * minuteMs)
  expect(live('lost').map(({ text }) => text)).toEqual(['lost 1', 'lost 2', 'lost 3', 'lost 4'])
  expect(new Set(await statuses(postIds))).toEqual(new Set(['published']))
})

test('a reply in a community whose response is lost is never sent again: the timeline proves no absence there', async () => {
  const { postIds } = await kit.api.posts.publishThreadNow({
    body: { socialAccountId: x, tweets: tweetsOf('community', 2), metadata: { x: { communityId: '77' } } },
  })
  kit.platforms.faults.add([
    { platform: 'x', operation: 'create', times: 1, fault: 'slow', delayMs: 1 },
    { platform: 'x', operation: 'create', times: 1, fault: 'landed_then_reset' },
    {
      platform: 'x',
      operation: 'timeline',
      times: 1000,
      fault: 'status',
      status: 200,
      body: { meta: { result_count: 0 } },
    },
  ])
  await kit.service.pass(8 * hourMs, { tickMinutes: 5 })
  kit.platforms.faults.clear()
  const creates = kit.platforms
    .calls()
    .filter(({ operation, body }) => operation === 'create' && String(body).includes('community 2'))
  expect([creates.length, live('community').length]).toEqual([1, 2])
  expect((await shown(postIds)).map(({ status, reason }) => [status, reason])).toEqual([
    ['published', null],
    ['failed', 'outcome_unknown'],
  ])
})

test('a token that expires between two tweets is refreshed, and the thread continues', async () => {
  await schedule('expired', 3)
  kit.platforms.faults.add([
    { platform: 'x', operation: 'create', times: 1, fault: 'slow', delayMs: 1 },
    { platform: 'x', operation: 'create', times: 1, fault: 'token_revoked' },
  ])
  await kit.service.pass(11 * minuteMs)
  expect(live('expired')).toHaveLength(3)
})

test('cancel, reschedule, and delete of the first tweet apply to the whole thread', async () => {
  const before = await used()
  const { postIds } = await schedule('moved', 3)
  const [head = '', second = ''] = postIds
  const member = { status: 400, body: { code: 'not_thread_head', error: expect.stringContaining(head) } }
  await expect(kit.api.posts.cancel({ params: { id: second } })).rejects.toMatchObject(member)
  await expect(kit.api.posts.delete({ params: { id: second } })).rejects.toMatchObject(member)
  const body = { scheduledAt: at(20 * minuteMs) }
  await expect(kit.api.posts.reschedule({ params: { id: second }, body })).rejects.toMatchObject(member)
  await kit.api.posts.reschedule({ params: { id: head }, body: { ...body, content: 'moved 1 anew' } })
  for (const post of await shown(postIds)) expect(post.scheduledAt).toBe(body.scheduledAt)
  await kit.service.pass(12 * minuteMs)
  expect(live('moved')).toEqual([])
  await kit.api.posts.cancel({ params: { id: head } })
  expect(await statuses(postIds)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect(await used()).toBe(before)
  await kit.service.pass(12 * minuteMs)
  expect(live('moved')).toEqual([])

  const { postIds: doomed } = await schedule('doomed', 2)
  await kit.api.posts.delete({ params: { id: doomed[0] ?? '' } })
  for (const id of doomed) expect(await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })).toBeUndefined()
  expect(await used()).toBe(before)
  await kit.service.drain()
  for (const id of [...postIds, ...doomed]) expect(eventsOf(kit, id).at(-1)?.type).toBe('post.cancelled')
})

test('a thread with an invalid tweet creates nothing, and the issue names the tweet', async () => {
  const { total } = await kit.api.posts.list({ query: { limit: 1 } })
  const before = await used()
  const tweets = [{ content: 'fine' }, { content: 'x'.repeat(281) }, { content: '' }]
  const body = { socialAccountId: x, tweets, scheduledAt: at(minuteMs) }
  await expect(kit.api.posts.scheduleThread({ body })).rejects.toMatchObject({
    status: 400,
    body: {
      issues: [
        { code: 'content_length', message: 'tweets.1: X: 281/280 characters.' },
        { code: 'content_empty', message: expect.stringMatching(/^tweets\.2: /) },
      ],
    },
  })
  for (const count of [1, 26]) {
    const wrong = { ...body, tweets: tweetsOf('count', count) }
    await expect(kit.api.posts.scheduleThread({ body: wrong })).rejects.toMatchObject({
      status: 400,
      body: { field: 'tweets' },
    })
  }
  const elsewhere = { ...body, tweets: tweetsOf('there', 2), socialAccountId: kit.accounts.discord }
  await expect(kit.api.posts.scheduleThread({ body: elsewhere })).rejects.toMatchObject({
    status: 400,
    body: {
      code: 'threads_not_supported',
      error: expect.stringContaining('Only X, Bluesky, Threads, Mastodon, and Nostr support threads.'),
    },
  })
  const unknown = { ...elsewhere, socialAccountId: 'acc_unknown' }
  await expect(kit.api.posts.scheduleThread({ body: unknown })).rejects.toMatchObject({ status: 404 })
  expect((await kit.api.posts.list({ query: { limit: 1 } })).total).toBe(total)
  expect(await used()).toBe(before)
})

test('the same Idempotency-Key returns the same thread', async () => {
  const body = { socialAccountId: x, tweets: tweetsOf('once', 2), scheduledAt: at(10 * minuteMs) }
  const call = { body, idempotencyKey: 'one thread' }
  const first = await kit.api.posts.scheduleThread(call)
  expect(await kit.api.posts.scheduleThread(call)).toEqual(first)
  await kit.service.pass(11 * minuteMs)
  expect(live('once')).toHaveLength(2)
})

test('a token without the scope cannot create a thread', async () => {
  const { token } = await kit.sessionApi.cli.createToken({
    body: { name: 'reader', workspaceId: kit.workspaceId, scopes: ['posts:read'] },
  })
  const reader = client({ baseUrl: kit.url, workspaceId: kit.workspaceId, token })
  const body = { socialAccountId: x, tweets: tweetsOf('no', 2) }
  await expect(reader.posts.publishThreadNow({ body })).rejects.toMatchObject({ status: 403 })
})
