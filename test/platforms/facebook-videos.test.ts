import { afterAll, beforeEach, expect, test } from 'vitest'
import { facebookSeed } from '../../infra/local/platforms/facebook.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { facebook as connector } from '../../shared/platforms/facebook/connect.ts'
import { facebook } from '../../shared/platforms/facebook/publish.ts'
import { startGraphSite } from './graph-site.ts'
import { metaError } from './meta-error.ts'
import { failureOf } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const site = await startGraphSite('facebook', facebook, connector)
const { platforms, files, fault } = site
const page = facebookSeed.pages[0].id

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

type Format = 'video' | 'reel' | 'video_story' | 'photo_story'
const formats = ['video', 'reel', 'video_story', 'photo_story'] as const
const ofVideos = ['video', 'reel', 'video_story'] as const

const addressOf = ({ storageKey }: MediaFile) => `${site.ctx().env('MEDIA_URL')}/${storageKey}`
const open = async (format: Format, text = format.endsWith('story') ? '' : 'Bread') => {
  const media = [format === 'photo_story' ? await files.jpeg() : await files.mp4()]
  return site.open({ text, media, metadata: { format } })
}
const proof = { appsecret_proof: expect.any(String) }
/** The calls of an operation as Meta's documents have them: with the phase in the query. */
const callsOf = (operation: string) =>
  site.golden(operation).map((call, n) => {
    const { query } = site.calls().filter((call) => call.operation === operation)[n] ?? {}
    return call.method === 'POST' && query ? { ...call, path: `${call.path}?${query}` } : call
  })
const status = (shown: object, times = 1) =>
  fault({ operation: 'page', times, fault: 'status', status: 200, body: { id: '1', ...shown } })

test('a video is uploaded unpublished, waited for, and published by one call', async () => {
  const call = await open('video')
  const { ready, expiresAtMs, waits } = await site.prepare(call)
  expect(waits).toEqual([2, 5, 10])
  expect(expiresAtMs).toBe(site.now() - 17_000 + 20 * 3_600_000)
  const [file] = call.post.media
  expect(callsOf('upload')).toEqual([
    {
      method: 'POST',
      path: `/v25.0/${page}/videos`,
      fields: { file_url: file && addressOf(file), published: 'false', description: 'Bread', ...proof },
    },
  ])
  const { video } = ready
  const read = { fields: 'published,status', ...proof }
  expect(callsOf('page').at(-1)).toEqual({ method: 'GET', path: `/v25.0/${video}`, fields: read })
  expect(platforms.published()).toEqual([])
  const { id, url } = await facebook.commit(call, ready, 'key', undefined)
  expect({ id, url }).toEqual({ id: video, url: `https://www.facebook.com/${page}/videos/${video}` })
  expect(callsOf('create')).toEqual([
    { method: 'POST', path: `/v25.0/${video}`, fields: { published: 'true', ...proof } },
  ])
  expect(platforms.published()).toMatchObject([{ account: 'Demo Bakery', text: 'Bread', url }])
})

test.each([
  ['reel', 'video_reels', { video_state: 'PUBLISHED', description: 'Bread' }],
  ['video_story', 'video_stories', {}],
] as const)('a %s is a session: started, loaded by Facebook, finished by one call', async (format, edge, more) => {
  const call = await open(format)
  const { ready } = await site.prepare(call)
  const [file] = call.post.media
  expect(callsOf('upload')).toEqual([
    { method: 'POST', path: `/v25.0/${page}/${edge}?upload_phase=start`, fields: proof },
  ])
  const [sent] = site.calls().filter(({ operation }) => operation === 'transfer')
  expect(sent?.path).toBe(`/video-upload/v25.0/${ready['video']}`)
  expect(sent?.headers).toMatchObject({
    authorization: `OAuth ${call.account.credentials['accessToken']}`,
    file_url: file && addressOf(file),
  })
  expect(platforms.published()).toEqual([])
  const { url } = await facebook.commit(call, ready, 'key', undefined)
  const fields = { video_id: ready['video'], ...more, ...proof }
  expect(callsOf('create')).toEqual([{ method: 'POST', path: `/v25.0/${page}/${edge}?upload_phase=finish`, fields }])
  expect(platforms.published()).toMatchObject([{ text: format === 'reel' ? 'Bread' : '', url }])
})

test('a photo story is an unpublished photo that becomes a story', async () => {
  const call = await open('photo_story')
  const { ready } = await site.prepare(call)
  const { id, url } = await facebook.commit(call, ready, 'key', undefined)
  expect(callsOf('create')).toEqual([
    { method: 'POST', path: `/v25.0/${page}/photo_stories`, fields: { photo_id: ready['photo'], ...proof } },
  ])
  expect(callsOf('stories')[0]?.fields).toMatchObject({ since: String(site.now() / 1000 - 60), limit: '100' })
  expect(platforms.published()).toMatchObject([{ text: '', url, account: 'Demo Bakery' }])
  expect(url).toBe(`https://facebook.com/stories/${id}`)
})

test.each(formats)('a %s whose text is empty has no description', async (format) => {
  await site.publish(await open(format, ''))
  const sent = [...callsOf('upload'), ...callsOf('create')].flatMap(({ fields }) => Object.keys(fields))
  expect(sent).not.toContain('description')
})

test.each(formats)('a %s whose answer is lost is found, and what did not land is absent', async (format) => {
  const call = await open(format)
  const attempt = await site.armed(call)
  expect(await facebook.probe(call, attempt)).toEqual({ kind: 'absent' })
  for (const [, script, errorClass, info] of lostResponses) {
    fault(script)
    expect(await failureOf(facebook.commit(call, attempt.ref, 'key', undefined))).toMatchObject({ errorClass, info })
    const { url } = platforms.published()[0] ?? {}
    const changed = { ...call, post: { ...call.post, text: 'other', metadata: undefined } }
    expect(await facebook.probe(changed, attempt)).toEqual({ kind: 'published', id: expect.any(String), url })
    if (format === 'photo_story') break
  }
  expect(platforms.published()).toHaveLength(1)
})

test.each(formats)('a live %s is removed by the ID that its publication returned', async (format) => {
  const call = await open(format)
  const { id } = await site.publish(call)
  expect(platforms.published()).toHaveLength(1)
  await facebook.remove?.(call, id ?? '')
  expect(platforms.published()).toEqual([])
})

test.each(ofVideos)('a %s that is published already is not published again, and is no failure', async (format) => {
  const call = await open(format)
  const { ready } = await site.prepare(call)
  const first = await facebook.commit(call, ready, 'key', undefined)
  expect(await facebook.commit(call, ready, 'key', undefined)).toEqual(first)
  fault(metaError(100, undefined, 'already published'))
  expect(await facebook.commit(call, ready, 'key', undefined)).toEqual(first)
  fault(metaError(4))
  expect(await facebook.commit(call, ready, 'key', undefined)).toEqual(first)
  expect(platforms.published()).toHaveLength(1)
})

test('the story of another photo or video counts as another', async () => {
  for (const format of ['photo_story', 'video_story'] as const) {
    const other = await site.publish(await open(format))
    const call = await open(format)
    expect(await facebook.probe(call, await site.armed(call))).toEqual({ kind: 'absent' })
    expect((await site.publish(call)).url).not.toBe(other.url)
  }
})

test('a photo story that was made already is looked for', async () => {
  const call = await open('photo_story')
  const { ready } = await site.prepare(call)
  await facebook.commit(call, ready, 'key', undefined)
  expect(await failureOf(facebook.commit(call, ready, 'key', undefined))).toMatchObject({ errorClass: 'unknown' })
})

test.each([
  ['a limit of reels', metaError(4, undefined, 'The limit of reels in 24 hours is reached'), 'quota', {}],
  ['a limit', metaError(32), 'rate', { retryAfterSeconds: 900 }],
  ['an expired token', metaError(190, 463), 'auth', {}],
  ['a missing permission', metaError(200), 'permission', {}],
  ['a block', metaError(368), 'blocked', {}],
  ['a bad word', metaError(100, undefined, 'a bad word'), 'invalid', {}],
  ['an answer without success', { fault: 'status', status: 200, body: { success: false } }, 'unknown', {}],
  ...transportFaults,
] as const)('the publication meets %s', async (_, script, errorClass, info) => {
  for (const format of ofVideos) {
    const call = await open(format)
    const { ready } = await site.prepare(call)
    fault(script)
    expect(await failureOf(facebook.commit(call, ready, 'key', undefined))).toMatchObject({ errorClass, info })
  }
  expect(platforms.published()).toEqual([])
})

test('a limit may have been reported for a video that is live', async () => {
  const call = await open('reel')
  const { ready } = await site.prepare(call)
  fault(metaError(4))
  fault({ operation: 'page', fault: 'html_503' })
  expect(await failureOf(facebook.commit(call, ready, 'key', undefined))).toMatchObject({ errorClass: 'unknown' })
})

test('the address of a story that cannot be read is unknown, and the story is live', async () => {
  for (const format of ['photo_story', 'video_story'] as const) {
    const call = await open(format)
    const { ready } = await site.prepare(call)
    fault({ operation: 'stories', fault: 'html_503' })
    expect(await facebook.commit(call, ready, 'key', undefined)).toEqual({ id: expect.any(String), url: null })
  }
})

test('an upload whose answer is lost is not begun again, and a session that failed is', async () => {
  const call = await open('reel')
  fault({ operation: 'transfer', fault: 'landed_then_reset' })
  await site.prepare(call)
  expect(site.operations().filter((operation) => operation === 'transfer')).toHaveLength(1)
  platforms.reset()
  const again = await open('reel')
  fault({ operation: 'transfer', fault: 'reset_before' })
  await site.prepare(again)
  expect(site.operations().filter((operation) => operation === 'upload')).toHaveLength(1)
  expect(site.operations().filter((operation) => operation === 'transfer')).toHaveLength(2)
  const debug_info = { retriable: false, type: 'ProcessingFailedError', message: 'Request processing failed' }
  fault({ operation: 'transfer', fault: 'status', status: 400, body: { debug_info } })
  expect(await failureOf(site.prepare(await open('reel')))).toMatchObject({
    errorClass: 'transient',
    message: 'Facebook could not take the video: Request processing failed',
    info: { preparedGone: true, code: 'ProcessingFailedError' },
  })
  fault({ ...metaError(190), operation: 'transfer' })
  expect(await failureOf(site.prepare(await open('reel')))).toMatchObject({ errorClass: 'auth' })
})

test('a foreign upload address gets neither token nor file', async () => {
  const body = { video_id: '1', upload_url: 'https://facebook.com.example/video-upload/1' }
  fault({ operation: 'upload', fault: 'status', status: 200, body })
  expect(await failureOf(site.prepare(await open('reel')))).toMatchObject({ info: { operator: true } })
  expect(site.operations()).not.toContain('transfer')
})

test('a video that Facebook may not keep unpublished costs the post and not the account', async () => {
  for (const code of [10, 200]) {
    fault({ ...metaError(code, undefined, 'requires pages_manage_ads'), operation: 'upload' })
    expect(await failureOf(site.prepare(await open('video')))).toMatchObject({
      errorClass: 'blocked',
      message: 'Facebook does not let this Page keep a video before it is published: requires pages_manage_ads',
    })
  }
})

const phase = (name: string, more: object) => ({ status: { video_status: 'processing', [`${name}_phase`]: more } })

test.each([
  [phase('processing', { status: 'not_started', error: { message: 'Resolution too low.' } }), 'Resolution too low.'],
  [phase('uploading', { status: 'error', errors: [{ message: 'No file.' }] }), 'No file.'],
  [{ status: { video_status: 'error' } }, 'no reason given'],
] as const)('a video that cannot be processed says why: %o', async (shown, reason) => {
  for (const format of ofVideos) {
    const call = await open(format)
    status(shown)
    expect(await failureOf(site.prepare(call))).toMatchObject({
      errorClass: 'invalid',
      message: `Facebook could not process the video: ${reason}`,
    })
  }
})

test('a file that is no video fails with the reason of Facebook', async () => {
  const media = [await files.gif()]
  expect(await failureOf(site.prepare(await site.open({ media, metadata: { format: 'reel' } })))).toMatchObject({
    message: 'Facebook could not process the video: The video format is not supported',
  })
})

test.each(['expired', 'upload_failed'])('a video that is %s is uploaded again', async (video_status) => {
  const call = await open('reel')
  const { ready } = await site.prepare(call)
  status({ status: { video_status } })
  expect(await failureOf(site.prepare(call))).toMatchObject({ errorClass: 'transient', info: { preparedGone: true } })
  fault(metaError(100, undefined, 'not ready'))
  status({ status: { video_status } })
  expect(await failureOf(facebook.commit(call, ready, 'key', undefined))).toMatchObject({
    info: { preparedGone: true },
  })
  status({ status: { video_status } })
  const attempt = { clientKey: 'key', ref: ready, startedAtMs: site.now() }
  expect(await facebook.probe(call, attempt)).toEqual({ kind: 'absent' })
})

test.each([
  ['reel', { video_status: 'upload_complete' }, true],
  ['reel', { uploading_phase: { status: 'completed' }, processing_phase: { status: 'not_started' } }, true],
  ['reel', { uploading_phase: { status: 'complete' }, processing_phase: { status: 'in_progress' } }, false],
  ['reel', { video_status: 'uploading', uploading_phase: { status: 'in_progress' } }, false],
  ['video', { video_status: 'processing', uploading_phase: { status: 'complete' } }, false],
  ['video', { video_status: 'ready' }, true],
] as const)('a %s of this standing is ready or not: %o', async (format, standing, isReady) => {
  const call = await open(format)
  status({ status: standing })
  const { waits } = await site.prepare(call)
  expect(waits.length === 1).toBe(isReady)
})

test('a video that takes more than half an hour fails for now', async () => {
  const call = await open('video')
  status({ status: { video_status: 'processing' } }, 100)
  expect(await failureOf(site.prepare(call))).toMatchObject({
    errorClass: 'transient',
    message: 'Facebook took too long to process the media.',
  })
})

test.each([
  ['reel', { publishing_phase: { status: 'not_started', publish_status: 'published' } }, 'absent'],
  ['reel', { publishing_phase: { status: 'in_progress' } }, 'unclear'],
  ['reel', { processing_phase: { status: 'in_progress' } }, 'unclear'],
  ['reel', { publishing_phase: { publish_status: 'published' } }, 'published'],
  ['reel', { publishing_phase: { status: 'completed' } }, 'published'],
  ['reel', { publishing_phase: { status: 'error', error: { message: 'no' } } }, 'rejected'],
  ['video', { publishing_phase: { status: 'complete' } }, 'absent'],
] as const)('a %s of this standing counts as what it is: %o', async (format, standing, kind) => {
  const call = await open(format)
  const attempt = await site.armed(call)
  status({ status: standing })
  expect(await facebook.probe(call, attempt)).toMatchObject({ kind })
})
