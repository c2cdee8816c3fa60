import { expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { start } from '../support/start.ts'
import { channelId, eventsOf, listen, liveCount, scheduleBoth } from './author.ts'
import { expectSound } from './invariants.ts'
import { uploadPng } from './upload.ts'

test('a post with an image is published on time to every account, with signed webhooks', async () => {
  const kit = await start()
  await listen(kit)
  const asset = await uploadPng(kit)
  const dueMs = kit.clock.now() + 30 * minuteMs
  const posts = await scheduleBoth(kit, 'The main job #works', 30 * minuteMs, { mediaUrls: [asset.id] })
  expect(posts.map(({ status }) => status)).toEqual(['scheduled', 'scheduled'])
  expect(new Set(posts.map(({ groupId }) => groupId)).size).toBe(1)
  await kit.service.pass(29 * minuteMs)
  expect(kit.platforms.published()).toEqual([])
  await kit.service.pass(2 * minuteMs)
  for (const { id } of posts) {
    const post = await kit.api.posts.get({ params: { id } })
    expect(post).toMatchObject({ status: 'published', error: null, mediaUrls: [asset.id] })
    expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
    const [scheduled, published] = eventsOf(kit, id)
    expect(published?.data['previousEventId']).toBe(scheduled?.id)
    expect(published?.data['publishedPostUrl']).toBe(post.publishedPostUrl)
  }
  const live = kit.platforms.published()
  expect(live.map(({ platform }) => platform).sort()).toEqual(['bluesky', 'discord'])
  for (const post of live) {
    expect(post.media).toHaveLength(1)
    expect(post.publishedAt - dueMs).toBeGreaterThanOrEqual(0)
    expect(post.publishedAt - dueMs).toBeLessThanOrEqual(1000)
  }
  await expectSound(kit)
})

test('publish-now publishes immediately and reports only the publication', async () => {
  const kit = await start()
  await listen(kit)
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'Now' }
  const [post] = await kit.api.posts.publishNow({ body })
  expect(post?.status).toBe('scheduled')
  await kit.service.drain()
  expect(await kit.api.posts.get({ params: { id: post?.id ?? '' } })).toMatchObject({ status: 'published' })
  expect(eventsOf(kit, post?.id ?? '').map(({ type }) => type)).toEqual(['post.published'])
  await expectSound(kit)
})

test('a rescheduled post is published only at its new time, with its new content', async () => {
  const kit = await start()
  await listen(kit)
  const posts = await scheduleBoth(kit, 'old words', 60 * minuteMs)
  await kit.service.pass(10 * minuteMs)
  for (const { id } of posts) {
    const scheduledAt = new Date(kit.clock.now() + 120 * minuteMs).toISOString()
    const after = await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt, content: 'new words' } })
    expect(after).toMatchObject({ status: 'scheduled', scheduledAt, content: 'new words' })
  }
  await kit.service.pass(100 * minuteMs)
  expect(kit.platforms.published()).toEqual([])
  await kit.service.pass(30 * minuteMs)
  expect([liveCount(kit, 'old words'), liveCount(kit, 'new words')]).toEqual([0, 2])
  const types = eventsOf(kit, posts[0]?.id ?? '').map(({ type }) => type)
  expect(types).toEqual(['post.scheduled', 'post.rescheduled', 'post.published'])
  await expectSound(kit)
})

test('a canceled or deleted post is never published', async () => {
  const kit = await start()
  await listen(kit)
  const [first, second] = await scheduleBoth(kit, 'never seen', 60 * minuteMs)
  await kit.service.pass(58.5 * minuteMs)
  const cancelled = await kit.api.posts.cancel({ params: { id: first?.id ?? '' } })
  expect(cancelled.status).toBe('cancelled')
  expect(await kit.api.posts.delete({ params: { id: second?.id ?? '' } })).toEqual({ id: second?.id, deleted: true })
  await kit.service.pass(60 * minuteMs)
  expect(kit.platforms.published()).toEqual([])
  expect(eventsOf(kit, second?.id ?? '').map(({ type }) => type)).toEqual(['post.scheduled', 'post.cancelled'])
  await expect(kit.api.posts.get({ params: { id: second?.id ?? '' } })).rejects.toMatchObject({ status: 404 })
  await expectSound(kit)
})

test('stores and returns a text of more than four kilobytes in full', async () => {
  const kit = await start()
  const content = '𝒳'.repeat(2001)
  const body = {
    socialAccountIds: [kit.accounts.discord],
    content,
    metadata: { discord: { channelId } },
    scheduledAt: new Date(kit.clock.now() + 20 * minuteMs).toISOString(),
  }
  await expect(kit.api.posts.schedule({ body })).rejects.toMatchObject({ status: 400 })
  const long = 'ü€'.repeat(950)
  const [post] = await kit.api.posts.schedule({ body: { ...body, content: long } })
  expect((await kit.api.posts.get({ params: { id: post?.id ?? '' } })).content).toBe(long)
  await kit.service.pass(21 * minuteMs)
  expect(liveCount(kit, long)).toBe(1)
  await expectSound(kit)
})
