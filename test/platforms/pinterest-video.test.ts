import { expect, test } from 'vitest'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import { officialCheck } from '../../infra/local/platforms/official-schema.ts'
import type { PlatformCall, PreparedRef } from '../../shared/platforms/adapter.ts'
import { pinterest } from '../../shared/platforms/pinterest/publish.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { anyPicture, anyVideo } from './any-file.ts'
import { metadata, visitPinterest } from './pinterest-visit.ts'
import { failureOf, png } from './site.ts'
import { lostResponses } from './transport-faults.ts'
import { clip } from './visit.ts'

const visited = await visitPinterest()
const { site, platforms, sentTo, sent, fault, operations, videoFile } = visited
const video = { ...metadata, format: 'video' }

const open = async (more: object = {}, post: Partial<PlatformCall['post']> = {}) =>
  visited.open({ metadata: { ...video, ...more }, media: [await videoFile()], ...post })

/** Retries after the given delay until the video is ready. */
async function prepared(call: PlatformCall, from?: PreparedRef) {
  let resume = from
  for (let step = 0; step < 200; step += 1) {
    const done = await pinterest.prepare?.(call, resume)
    if (!done) throw new Error('expected a preparation')
    if ('ready' in done) return done
    // As the row keeps it.
    resume = JSON.parse(JSON.stringify(done.resume))
    site.pass(done.waitSeconds * 1000)
  }
  throw new Error('it never became ready')
}

test('a video is registered, uploaded once, waited for, and pinned with the first frame as its cover', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  expect(operations().slice(-6)).toEqual(['register', 'upload', 'status', 'status', 'status', 'status'])
  expect(platforms.published()).toEqual([])
  const { id, url } = await visited.commit(call, ready)
  expect(sent()).toEqual({
    board_id: '549755885171',
    title: 'Lemon cake',
    description: 'A cake for hot days',
    link: 'https://bea.example/cake',
    media_source: { source_type: 'video_id', media_id: expect.any(String), cover_image_key_frame_time: 0 },
  })
  expect(url).toBe(`https://www.pinterest.com/pin/${id}/`)
  const [shown] = platforms.published()
  expect(shown).toMatchObject({ text: 'Lemon cake\n\nA cake for hot days', url, media: [expect.any(String)] })
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer())).toEqual(clip)
})

test('the requests and answers are those of the official schemas, field by field', async () => {
  const call = await open()
  const authorization = `Bearer ${call.account.credentials['accessToken']}`
  await prepared(call)
  const [register] = sentTo('register')
  expect(register).toMatchObject({ method: 'POST', path: '/v5/media', headers: { authorization } })
  expect(JSON.parse(String(register?.body))).toEqual({ media_type: 'video' })
  const [upload] = sentTo('upload')
  expect(upload?.headers['authorization']).toBeUndefined()
  const parts = parseMultipart(upload?.headers['content-type'] ?? '', upload?.body ?? Buffer.alloc(0))
  expect(parts.map(({ name }) => name)).toEqual([
    'x-amz-date',
    'x-amz-signature',
    'x-amz-security-token',
    'x-amz-algorithm',
    'key',
    'policy',
    'x-amz-credential',
    'Content-Type',
    'file',
  ])
  expect(parts.at(-1)?.bytes.equals(clip)).toBe(true)
  const [status] = sentTo('status')
  expect(status).toMatchObject({ method: 'GET', headers: { authorization } })
  const of = (schema: string) => officialCheck('pinterest/schema/pinterest.json', schema)
  const headers = { authorization, 'content-type': 'application/json' }
  const base = platforms.urls['pinterest']
  const body = JSON.stringify({ media_type: 'video' })
  expect(of('MediaUpload')(await (await fetch(`${base}/v5/media`, { method: 'POST', headers, body })).json())).toEqual(
    [],
  )
  expect(of('Media')(await (await fetch(`${base}${status?.path}`, { headers })).json())).toEqual([])
})

test('a cover is the image that its author chose, else the frame', async () => {
  const coverMediaAssetId = await site.file()
  const frame = { coverImageKeyFrameTime: 7 }
  const withImage = await open({ ...frame, coverMediaAssetId: 'med_1' }, { assets: { coverMediaAssetId } })
  await visited.commit(withImage, (await prepared(withImage)).ready)
  expect(sent().media_source).toEqual({
    source_type: 'video_id',
    media_id: expect.any(String),
    cover_image_content_type: 'image/png',
    cover_image_data: png.toString('base64'),
  })
  expect(platforms.published()[0]?.media).toHaveLength(2)
  const withFrame = await open(frame)
  await visited.commit(withFrame, (await prepared(withFrame)).ready)
  expect(sent().media_source).toMatchObject({ cover_image_key_frame_time: 7 })
})

test('an upload whose answer is lost is not sent again, and one that did not arrive is, by the same registration', async () => {
  const landed = await open()
  fault({ operation: 'upload', fault: 'landed_then_reset' })
  await prepared(landed)
  expect(sentTo('upload')).toHaveLength(1)
  const lost = await open()
  fault({ operation: 'upload', fault: 'reset_before', times: 2 })
  await prepared(lost)
  expect(sentTo('upload')).toHaveLength(4)
  expect(sentTo('register')).toHaveLength(2)
  // Pinterest may notice the content of its bucket late.
  const registered = { media_id: '1', media_type: 'video', status: 'registered' }
  const slow = await open()
  fault({ operation: 'status', fault: 'status', status: 200, body: registered })
  await prepared(slow)
  expect(sentTo('upload')).toHaveLength(5)
})

test.each([
  ['a form that has expired', 403, { preparedGone: true, httpStatus: 403 }],
  ['a form that is wrong', 400, { preparedGone: true, httpStatus: 400 }],
] as const)('%s is replaced by another one', async (_, status, info) => {
  fault({ operation: 'upload', fault: 'status', status, body: '<Error><Code>AccessDenied</Code></Error>' })
  expect(await failureOf(prepared(await open()))).toMatchObject({ errorClass: 'transient', info })
})

test('a foreign upload address gets no file', async () => {
  const body = {
    media_id: '1',
    media_type: 'video',
    upload_url: 'https://amazonaws.com.example/',
    upload_parameters: {},
  }
  fault({ operation: 'register', fault: 'status', status: 201, body })
  expect(await failureOf(prepared(await open()))).toMatchObject({ info: { operator: true } })
  expect(sentTo('upload')).toEqual([])
})

test('a video that fails, takes too long, or is gone says so', async () => {
  const noVideo = await open({}, { media: [await videoFile(png)] })
  expect(await failureOf(prepared(noVideo))).toMatchObject({
    errorClass: 'invalid',
    message: 'Pinterest could not process the video.',
  })
  const processing = { media_id: '1', media_type: 'video', status: 'processing' }
  fault({ operation: 'status', fault: 'status', status: 200, body: processing, times: 200 })
  expect(await failureOf(prepared(await open()))).toMatchObject({
    errorClass: 'transient',
    message: 'Pinterest took too long to process the video.',
  })
  platforms.faults.clear()
  const gone = await failureOf(prepared(await open(), { mediaId: '9', sinceMs: site.now() }))
  expect(gone).toMatchObject({ errorClass: 'transient', info: { preparedGone: true } })
})

test('a Pin whose answer is lost is found on its board', async () => {
  const call = await open()
  const attempt = await visited.armed(call).catch(() => undefined)
  expect(attempt).toBeUndefined()
  const { ready: ref } = await prepared(call)
  const armed = { clientKey: 'key', ref, startedAtMs: site.now() }
  expect(await pinterest.probe(call, armed)).toEqual({ kind: 'absent' })
  for (const [, script, errorClass] of lostResponses) {
    fault(script)
    expect(await failureOf(visited.commit(call, ref))).toMatchObject({ errorClass })
    const { url } = platforms.published().at(-1) ?? {}
    expect(await pinterest.probe(call, armed)).toMatchObject({ kind: 'published', url })
  }
})

const codes = (block: object, ...media: readonly ReturnType<typeof anyVideo>[]) =>
  checkPost(pinterest, { socialAccountId: 'acc', content: '', metadata: { ...metadata, ...block }, media }).map(
    ({ code }) => code,
  )

test('one video of 4 seconds to 15 minutes, by its format only', () => {
  const film = { format: 'video' }
  for (const durationMs of [4_000, 4_001, 899_999, 900_000]) {
    expect(codes(film, anyVideo({ durationMs }))).toEqual([])
  }
  for (const durationMs of [3_999, 900_001]) expect(codes(film, anyVideo({ durationMs }))).toEqual(['media_duration'])
  for (const [width, height] of [
    [1000, 2000],
    [1910, 1000],
    [1914, 1000],
  ] as const) {
    expect(codes(film, anyVideo({ width, height }))).toEqual([])
  }
  for (const [width, height] of [
    [990, 2000],
    [1920, 1000],
  ] as const) {
    expect(codes(film, anyVideo({ width, height }))).toEqual(['media_dimensions'])
  }
  expect(codes(film, anyVideo({ fileSize: 1_073_741_824 }))).toEqual([])
  expect(codes(film, anyVideo({ fileSize: 1_073_741_825 }))).toEqual(['media_size'])
  expect(codes(film, anyVideo({ mimeType: 'video/quicktime' }))).toEqual([])
  expect(codes(film, anyVideo(), anyVideo())).toEqual(['media_count'])
  expect(codes(film, anyPicture())).toEqual(['media_type'])
  expect(codes({}, anyVideo())).toEqual(['media_type'])
  expect(codes({ format: 'movie' }, anyPicture())).toEqual(['metadata_invalid'])
})

test('the frame of a cover is a whole second from 0', () => {
  for (const coverImageKeyFrameTime of [0, 1, 900]) {
    expect(codes({ format: 'video', coverImageKeyFrameTime }, anyVideo())).toEqual([])
  }
  for (const coverImageKeyFrameTime of [-1, 1.5, '1', null]) {
    expect(codes({ format: 'video', coverImageKeyFrameTime }, anyVideo())).toEqual(['metadata_invalid'])
  }
})
