import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MediaType } from '../../shared/media/types.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { jpeg, profiles } from './files.ts'
import { noise } from './pictures.ts'

// The publisher has neither the memory nor the library to convert: posts that reach it with images that are not converted
// go through their preparation first.

let kit: Kit
const effects: { functionName: string; action: string; resource: string }[] = []
let lose = (_: { functionName: string; action: string }): boolean => false
beforeAll(async () => {
  kit = await start({
    observe: ({ functionName, action, resource }, run) => {
      effects.push({ functionName, action, resource })
      if (lose({ functionName, action })) throw new Error('lost')
      return run()
    },
  })
})
afterAll(() => kit.close())
beforeEach(() => {
  effects.length = 0
  lose = () => false
  kit.service.queues.faults.onSend = undefined
})

/** The functions that converted images for a platform, not counting previews. */
const converters = () =>
  effects
    .filter(({ functionName, action }) => action === 'PutObject' && functionName !== 'make-preview')
    .map(({ functionName }) => functionName)

const upload = async (bytes: Uint8Array, mimeType: MediaType = 'image/png') => {
  const fileInfo = { mimeType, fileSize: bytes.byteLength }
  const { uploadUrl, storageKey } = await kit.api.media.createUploadUrl({ body: { filename: 'a.png', ...fileInfo } })
  const headers = { 'Content-Type': fileInfo.mimeType }
  await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  const { id } = await kit.api.media.complete({ body: { storageKey, originalFilename: 'a.png', ...fileInfo } })
  await kit.service.drain()
  effects.length = 0
  return id
}

/** Over a megabyte: too large for Bluesky. */
const large = async () => upload(await noise(900, 700).png({ compressionLevel: 1 }).toBuffer())

const publishNow = async (content: string, mediaUrls: string[]) => {
  const body = { socialAccountIds: [kit.accounts.bluesky], content, mediaUrls }
  const [post] = await kit.api.posts.publishNow({ body })
  return post?.id ?? ''
}
const statusOf = (id: string) => kit.api.posts.get({ params: { id } })
const liveCount = (content: string) => kit.platforms.published().filter(({ text }) => text === content).length

test('a lost message to prepare delays an immediate post by a minute at most', async () => {
  const mediaUrls = [await large()]
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('prepare') ? 'lose' : 'keep')
  const id = await publishNow('Lost on the way', mediaUrls)
  await kit.service.drain()
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(2 * minuteMs)
  expect(await statusOf(id)).toMatchObject({ status: 'published' })
  expect(liveCount('Lost on the way')).toBe(1)
  expect(converters()).toEqual(['prepare-post'])
})

test('a post that is due before its images are converted is published once they are', async () => {
  const mediaUrls = [await large()]
  const scheduledAt = new Date(kit.clock.now() + 10 * minuteMs).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'Due first', mediaUrls, scheduledAt }
  const [post] = await kit.api.posts.schedule({ body })
  // Nothing of the preparation comes to an end before the post is due.
  const dueMs = Date.parse(scheduledAt)
  lose = ({ functionName, action }) =>
    functionName === 'prepare-post' && action === 'PutObject' && kit.clock.now() < dueMs
  await kit.service.pass(13 * minuteMs)
  expect(await statusOf(post?.id ?? '')).toMatchObject({ status: 'published' })
  expect(liveCount('Due first')).toBe(1)
  expect(
    effects.filter(({ functionName, resource }) => functionName === 'publish-post' && resource === 'prepare'),
  ).not.toEqual([])
  expect(new Set(converters())).toEqual(new Set(['prepare-post']))
})

test('a damaged image fails an immediate post with a message, and the publisher calls no platform', async () => {
  // Its segments are complete, but its content cannot be decoded.
  const id = await publishNow('Torn', [await upload(jpeg(1200, 900, profiles(20)), 'image/jpeg')])
  await kit.service.pass(minuteMs)
  expect(await statusOf(id)).toMatchObject({
    status: 'failed',
    error: 'a.jpg is damaged and cannot be read as an image. Upload it again, then reschedule the post.',
  })
  expect(liveCount('Torn')).toBe(0)
})

test('images that are never converted fail their post after an hour, with a message', async () => {
  const mediaUrls = [await large()]
  const id = await publishNow('Never', mediaUrls)
  lose = ({ functionName, action }) => functionName === 'prepare-post' && action === 'GetObject'
  await kit.service.pass(60 * minuteMs, { tickMinutes: 5 })
  expect(await statusOf(id)).toMatchObject({ status: 'scheduled' })
  await kit.service.pass(120 * minuteMs, { tickMinutes: 5 })
  expect(await statusOf(id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(
      /^The files of the post were not converted in time\. Tried until \d+ minutes after its time\.$/,
    ),
  })
})
