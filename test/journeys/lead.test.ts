import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { clip } from '../media/clips.ts'
import { type Kit, start } from '../support/start.ts'
import { liveCount, scheduleOn } from './author.ts'
import { uploadPng } from './upload.ts'

let kit: Kit
/** When the preparing worker delayed a publisher's message: the start of its work. */
const delayedAt: number[] = []
beforeAll(async () => {
  kit = await start({
    observe: ({ functionName, service, resource }, run) => {
      if (functionName === 'prepare-post' && service === 'sqs' && resource === 'publish-discord') {
        delayedAt.push(kit.clock.now())
      }
      return run()
    },
  })
})
afterAll(() => kit.close())
beforeEach(() => {
  delayedAt.length = 0
  kit.service.schedules.faults.onFire = () => 'keep'
})

const uploadVideo = async () => {
  const bytes = clip()
  const file = { mimeType: 'video/mp4' as const, fileSize: bytes.byteLength }
  const { uploadUrl, storageKey } = await kit.api.media.createUploadUrl({ body: { filename: 'film.mp4', ...file } })
  const headers = { 'Content-Type': file.mimeType }
  await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  return kit.api.media.complete({ body: { storageKey, originalFilename: 'film.mp4', ...file } })
}

/** Publishes a file some time ahead; returns how long before its time the preparation began, in seconds. */
const leadOf = async (text: string, inMinutes: number, file: { id: string }) => {
  const { id, dueMs } = await scheduleOn(kit, 'discord', text, inMinutes * minuteMs, [file.id])
  await kit.service.pass((inMinutes + 1) * minuteMs)
  expect((await kit.api.posts.get({ params: { id } })).status).toBe('published')
  expect(liveCount(kit, text)).toBe(1)
  const [published] = kit.platforms.published().filter((post) => post.text === text)
  expect((published?.publishedAt ?? Number.NaN) - dueMs).toBeLessThanOrEqual(1000)
  expect(delayedAt).toHaveLength(1)
  return (dueMs - (delayedAt[0] ?? Number.NaN)) / 1000
}

test('prepares a video ten minutes before its time, an image two and a half minutes before', async () => {
  expect(await leadOf('A film', 30, await uploadVideo())).toBe(600)
  delayedAt.length = 0
  expect(await leadOf('A picture', 30, await uploadPng(kit))).toBe(150)
})

test('the same without a schedule, because a queue can delay that long', async () => {
  expect(await leadOf('A film soon', 12, await uploadVideo())).toBe(600)
  delayedAt.length = 0
  expect(await leadOf('A film at once', 5, await uploadVideo())).toBe(300)
})

test('a schedule that never fires leaves a minute less for a video, and the post is not late', async () => {
  kit.service.schedules.faults.onFire = () => 'lose'
  expect(await leadOf('A film nobody fired', 30, await uploadVideo())).toBe(540)
  delayedAt.length = 0
  expect(await leadOf('A picture nobody fired', 30, await uploadPng(kit))).toBe(60)
})

test('a schedule that never fires makes plain text late, by two minutes at most', async () => {
  kit.service.schedules.faults.onFire = () => 'lose'
  const { dueMs } = await scheduleOn(kit, 'bluesky', 'Lost', 30 * minuteMs)
  await kit.service.pass(35 * minuteMs, { tickMinutes: 1 })
  const [published] = kit.platforms.published().filter((post) => post.text === 'Lost')
  const lateMs = (published?.publishedAt ?? Number.NaN) - dueMs
  expect(lateMs).toBeGreaterThan(0)
  expect(lateMs).toBeLessThanOrEqual(2 * minuteMs)
})
