import { expect, test } from 'vitest'
import { visitLinkedIn } from './linkedin-visit.ts'
import { failureOf, png } from './site.ts'
import { longFilm } from './visit.ts'

const {
  site,
  platforms,
  calls,
  sentTo,
  operations,
  fault,
  videoFile,
  open,
  openPage,
  prepared,
  waiting,
  commit,
  slowly,
  through,
} = await visitLinkedIn()

const contentOf = () => JSON.parse(String(sentTo('create')[0]?.body)).content
const shownBytes = async (n: number) =>
  Buffer.from(await (await fetch(platforms.published()[0]?.media[n] ?? '')).arrayBuffer())

test('publishes one image with its description', async () => {
  const altText = `${'é'.repeat(4085)}😀`
  const call = await open({ media: [await site.file({ altText })] })
  const { ready, waits } = await through(call)
  // Members may not poll the status: the code waits a moment instead.
  expect(waits).toEqual([3, 3])
  expect(operations()).toEqual(['authorize', 'login', 'profile', 'init', 'upload', 'status', 'status'])
  const [opened] = sentTo('init')
  expect(opened).toMatchObject({ path: '/rest/images', query: 'action=initializeUpload' })
  expect(JSON.parse(String(opened?.body))).toEqual({ initializeUploadRequest: { owner: 'urn:li:person:782bbtaQ' } })
  const [put] = sentTo('upload')
  expect(put).toMatchObject({ method: 'PUT', query: 'm=x%3D', body: png, status: 201 })
  expect(put?.headers).toMatchObject({
    authorization: `Bearer ${call.account.credentials['accessToken']}`,
    'content-type': 'image/png',
    'content-length': String(png.length),
  })
  await commit(call, ready)
  const id = expect.stringMatching(/^urn:li:image:\w+$/)
  expect(contentOf()).toEqual({ media: { id, altText: 'é'.repeat(4085) } })
  expect(await shownBytes(0)).toEqual(png)
})

test('publishes several images in order', async () => {
  const second = Buffer.concat([png, Buffer.from('second')])
  const media = [await site.file(), await site.file({ altText: 'two', mimeType: 'image/gif' }, second)]
  const call = await openPage({ media })
  const { ready, waits } = await through(call)
  // LinkedIn reports that the pictures of a page exist.
  expect(waits).toEqual([3])
  await commit(call, ready)
  const id = expect.stringMatching(/^urn:li:image:\w+$/)
  expect(contentOf()).toEqual({ multiImage: { images: [{ id }, { id, altText: 'two' }] } })
  expect([await shownBytes(0), await shownBytes(1)]).toEqual([png, second])
})

test('uploads many images in phases, each once', async () => {
  const media = await Promise.all(Array.from({ length: 5 }, () => site.file()))
  const call = await openPage({ media })
  const { ready, waits } = await through({ ...call, ctx: slowly(call.ctx, 13_000) })
  expect(waits).toEqual([1, 1, 3])
  expect(sentTo('upload')).toHaveLength(5)
  await commit(call, ready)
  expect(new Set(contentOf().multiImage.images.map(({ id }: { id: string }) => id)).size).toBe(5)
})

test('uploads a video in LinkedIn’s parts, and waits for processing', async () => {
  const long = longFilm(9_000_000)
  const call = await open({ media: [await videoFile(long)] })
  const { ready, waits } = await through(call)
  expect(waits).toEqual([5])
  const [opened, finished] = sentTo('init')
  expect(opened).toMatchObject({ path: '/rest/videos', query: 'action=initializeUpload' })
  expect(JSON.parse(String(opened?.body))).toEqual({
    initializeUploadRequest: {
      owner: 'urn:li:person:782bbtaQ',
      fileSizeBytes: 9_000_000,
      uploadCaptions: false,
      uploadThumbnail: false,
    },
  })
  expect(sentTo('upload').map(({ headers }) => [headers['content-type'], headers['content-length']])).toEqual([
    ['application/octet-stream', '4194304'],
    ['application/octet-stream', '4194304'],
    ['application/octet-stream', '611392'],
  ])
  expect(finished?.query).toBe('action=finalizeUpload')
  const { video, uploadToken, uploadedPartIds } = JSON.parse(String(finished?.body)).finalizeUploadRequest
  expect([uploadToken, uploadedPartIds.length]).toEqual(['', 3])
  expect(sentTo('status')[0]?.path).toBe(`/rest/videos/${encodeURIComponent(video)}`)
  await commit(call, ready)
  expect(contentOf()).toEqual({ media: { id: video } })
  expect((await shownBytes(0)).equals(long)).toBe(true)
})

test('sends the parts of a long video in phases, and renews expired upload URLs', async () => {
  const call = await open({ media: [await videoFile(longFilm(9_000_000))] })
  const slow = { ...call, ctx: slowly(call.ctx, 13_000) }
  const { resume, waitSeconds } = await waiting(slow)
  expect(waitSeconds).toBe(1)
  const second = await waiting(slow, resume)
  expect(second.resume).toMatchObject({ video: expect.stringMatching(/^urn:li:video:/) })
  expect(second.resume).not.toHaveProperty('upload')
  expect(sentTo('upload')).toHaveLength(3)
  site.pass(12 * 3_600_000)
  const third = await waiting(call, resume)
  expect(third.resume['video']).not.toBe(second.resume['video'])
  expect(sentTo('upload')).toHaveLength(6)
})

test('rejects media that LinkedIn cannot process with its reason', async () => {
  const call = await openPage({ media: [await site.file()] })
  const { resume } = await waiting(call)
  const body = { status: 'PROCESSING_FAILED', processingFailureReason: 'bad codec' }
  fault({ operation: 'status', fault: 'status', status: 200, body })
  expect(await failureOf(waiting(call, resume))).toMatchObject({
    errorClass: 'invalid',
    message: 'LinkedIn could not process the media: bad codec.',
  })
})

test('waits for processing for a bounded time', async () => {
  const call = await openPage({ media: [await site.file()] })
  const { resume } = await waiting(call)
  const stuck = () => fault({ operation: 'status', fault: 'status', status: 200, body: { status: 'PROCESSING' } })
  stuck()
  expect(await waiting(call, resume)).toEqual({ waitSeconds: 10, resume })
  site.pass(30 * 60_000)
  stuck()
  expect(await failureOf(waiting(call, resume))).toMatchObject({
    errorClass: 'transient',
    info: { preparedGone: true },
  })
})

test('waits half a minute for a video without a readable status', async () => {
  const call = await open({ media: [await videoFile(longFilm(80_000))] })
  const { resume } = await waiting(call)
  site.pass(2000)
  fault({ operation: 'status', fault: 'status', status: 403, times: 2 })
  const hidden = await waiting(call, resume)
  expect(hidden).toMatchObject({ waitSeconds: 30, resume: { waited: true } })
  const { ready } = await prepared(call, hidden.resume)
  await commit(call, ready)
  expect(platforms.published()).toHaveLength(1)
})

test('retries media that is not ready on time', async () => {
  const call = await openPage({ media: [await site.file()] })
  const { ready } = await through(call)
  fault({ fault: 'status', status: 400, body: { code: 'MEDIA_ERROR', message: 'urn:li:image:1 is not ready' } })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'transient' })
  await commit(call, ready)
  expect(platforms.published()).toHaveLength(1)
})

test('rejects an upload without an ETag and an upload URL on another host', async () => {
  const video = await open({ media: [await videoFile(longFilm(80_000))] })
  fault({ operation: 'upload', fault: 'status', status: 200, body: '' })
  expect(await failureOf(waiting(video))).toMatchObject({ errorClass: 'transient', info: { detail: 'no ETag' } })
  const picture = await open({ media: [await site.file()] })
  const value = { uploadUrl: 'https://evil.test/', image: 'urn:li:image:1' }
  fault({ operation: 'init', fault: 'status', status: 200, body: { value } })
  expect(await failureOf(waiting(picture))).toMatchObject({ errorClass: 'transient', info: { operator: true } })
  expect(calls().filter(({ path }) => path === '/')).toEqual([])
})
