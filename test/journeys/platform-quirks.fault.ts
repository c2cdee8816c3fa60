import { expect, test } from 'vitest'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { listen, liveCount, scheduleBoth, scheduleOn } from './author.ts'
import { expectSound } from './invariants.ts'
import { uploadPng } from './upload.ts'

const rowOf = (kit: Kit, id: string) => posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })

test('Bluesky dropped the image: it is uploaded again, and the post is published once with the same key', async () => {
  const kit = await start()
  await listen(kit)
  const { id: mediaId } = await uploadPng(kit)
  const body = { error: 'BlobNotFound', message: 'Could not find blob' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
  const { id } = await scheduleOn(kit, 'bluesky', 'with an image', 2 * minuteMs, [mediaId])
  await kit.service.pass(2 * minuteMs)
  const uploads = () => kit.platforms.calls().filter(({ operation }) => operation === 'upload').length
  expect(uploads()).toBe(1)
  expect(await rowOf(kit, id)).toMatchObject({ status: 'scheduled', failedAttempts: 1, clientKey: expect.any(String) })
  await kit.service.pass(minuteMs)
  expect(uploads()).toBe(2)
  expect(kit.platforms.published()).toMatchObject([{ text: 'with an image', media: [expect.any(String)] }])
  expect((await rowOf(kit, id))?.status).toBe('published')
  await expectSound(kit)
})

test('Bluesky holds another record under the key: the post is published once with another key', async () => {
  const kit = await start()
  const body = { error: 'InvalidSwap', message: 'Record was at another CID' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
  const { id } = await scheduleOn(kit, 'bluesky', 'collided', 2 * minuteMs)
  await kit.service.pass(2 * minuteMs)
  const row = await rowOf(kit, id)
  expect(row).toMatchObject({ status: 'scheduled', failedAttempts: 1 })
  expect(row?.clientKey).toBeUndefined()
  await kit.service.pass(minuteMs)
  expect(liveCount(kit, 'collided')).toBe(1)
  await expectSound(kit)
})

test.each([
  ['twice', 2, 'published', 0.5 * hourMs],
  ['for ever', 1_000_000, 'failed', 24.1 * hourMs],
] as const)('"Discord channels cannot be read, %s: a post waits for them"', async (_, times, status, waitMs) => {
  const kit = await start()
  kit.platforms.faults.add({ platform: 'discord', operation: 'channels', times, fault: 'status', status: 503 })
  const { id } = await scheduleOn(kit, 'discord', 'unread', 2 * minuteMs, [(await uploadPng(kit)).id])
  await kit.service.pass(waitMs, { tickMinutes: 5 })
  expect((await rowOf(kit, id))?.status).toBe(status)
  expect(liveCount(kit, 'unread')).toBe(status === 'published' ? 1 : 0)
  await expectSound(kit)
})

test('twenty posts due in the same second on each platform are all published in it, once', async () => {
  const kit = await start()
  await listen(kit)
  const dueMs = kit.clock.now() + 10 * minuteMs
  const texts = Array.from({ length: 20 }, (_, n) => `post ${n} of twenty`)
  for (const text of texts) await scheduleBoth(kit, text, dueMs - kit.clock.now())
  await kit.service.pass(11 * minuteMs)
  for (const text of texts) expect([liveCount(kit, text, 'bluesky'), liveCount(kit, text, 'discord')]).toEqual([1, 1])
  for (const { publishedAt } of kit.platforms.published()) {
    expect(publishedAt - dueMs).toBeGreaterThanOrEqual(0)
    expect(publishedAt - dueMs).toBeLessThanOrEqual(1000)
  }
  expect((await kit.api.posts.list({ query: { status: 'published' } })).total).toBe(40)
  await expectSound(kit)
})

test('a file deleted despite the post that needs it: the post fails at its time and says why', async () => {
  const kit = await start()
  await listen(kit)
  const { id: media } = await uploadPng(kit)
  const { id } = await scheduleOn(kit, 'bluesky', 'without its picture', 10 * minuteMs, [media])
  await kit.api.media.delete({ params: { id: media }, query: { force: 'true' } })
  await kit.service.pass(11 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  expect(post).toMatchObject({ status: 'failed', error: expect.stringContaining('A file of the post was deleted') })
  expect(liveCount(kit, 'without its picture')).toBe(0)
  await expectSound(kit)
})
