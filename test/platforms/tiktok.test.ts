import { expect, test } from 'vitest'
import { tiktokSeed } from '../../infra/local/platforms/tiktok.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { fileRange } from '../../shared/platforms/files.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { tiktok as connector } from '../../shared/platforms/tiktok/connect.ts'
import { tiktok } from '../../shared/platforms/tiktok/publish.ts'
import { failureOf } from './site.ts'
import { clip, longFilm, visit } from './visit.ts'

const { site, platforms, calls, operations, sentTo, fault, videoFile, anew, prepared, commit, probe, slowly, ...own } =
  await visit(tiktok, connector)
const { shy } = tiktokSeed

const open = (post: Partial<OutgoingPost> = {}, person?: string) => {
  const metadata = { privacyLevel: person === shy.id ? 'SELF_ONLY' : 'PUBLIC_TO_EVERYONE' }
  return own.open({ text: 'A clip #fun', metadata, ...post }, person)
}

const puts = () => calls().filter(({ method }) => method === 'PUT')

test('streams a chunk while it is sent', async () => {
  const file = await videoFile(longFilm(6_000_000))
  const body = fileRange(site.ctx(), file, 0, 5_999_999)
  if (!('bytes' in body) || typeof body.bytes !== 'object' || !('open' in body.bytes)) throw new Error('not a stream')
  let [all, largest] = [0, 0]
  for await (const piece of body.bytes.open()) {
    all += piece.length
    largest = Math.max(largest, piece.length)
  }
  expect([all, body.bytes.bytes]).toEqual([6_000_000, 6_000_000])
  expect(largest).toBeLessThan(1_000_000)
})

/** Publishes as far as the last chunk; returns what was prepared. */
async function sent(call: PlatformCall) {
  const { ready } = await prepared(call)
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  return ready
}

test('opens an upload for a short clip ahead, sends it on time, and reads the id', async () => {
  const metadata = { privacyLevel: 'PUBLIC_TO_EVERYONE', disableComment: false, videoCoverTimestampMs: 999.6 }
  const call = await open({ metadata })
  const { ready, expiresAtMs } = await prepared(call)
  expect(expiresAtMs).toBe(site.now() + 55 * 60_000)
  expect(operations().slice(-2)).toEqual(['creator', 'init'])
  const bearer = `Bearer ${call.account.credentials['accessToken']}`
  for (const { headers } of calls().slice(-2)) {
    expect(headers).toMatchObject({ authorization: bearer, 'content-type': 'application/json; charset=UTF-8' })
  }
  expect(sentTo('creator')[0]?.body.length).toBe(0)
  expect(JSON.parse(String(sentTo('init')[0]?.body))).toEqual({
    post_info: {
      title: 'A clip #fun',
      privacy_level: 'PUBLIC_TO_EVERYONE',
      disable_duet: true,
      disable_comment: false,
      disable_stitch: true,
      video_cover_timestamp_ms: 1000,
      brand_content_toggle: false,
      brand_organic_toggle: false,
      is_aigc: false,
    },
    source_info: { source: 'FILE_UPLOAD', video_size: 1028, chunk_size: 1028, total_chunk_count: 1 },
  })

  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  const [put] = sentTo('create')
  expect(put).toMatchObject({ method: 'PUT', path: '/video/', status: 201, body: clip })
  expect(put?.query).toMatch(/^upload_id=\d+&upload_token=[0-9a-f]{32}%3D%3D$/)
  expect(put?.headers).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': '1028',
    'content-range': 'bytes 0-1027/1028',
  })
  expect(put?.headers).not.toHaveProperty('authorization')
  expect(site.effects.find(({ action }) => action.startsWith('PUT'))).toEqual({
    service: 'tiktok',
    action: 'PUT /video/',
    resource: platforms.urls['tiktok'],
  })
  expect(await probe(call, ready)).toEqual({ kind: 'unclear' })
  expect(platforms.published()).toEqual([])

  site.pass(5000)
  const settled = await probe(call, ready)
  const [shown] = platforms.published()
  expect(shown).toMatchObject({ account: '@demo.creator', text: 'A clip #fun' })
  expect(settled).toEqual({ kind: 'published', id: expect.stringMatching(/^74\d{17}$/), url: shown?.url })
  expect(shown?.url).toBe(`https://www.tiktok.com/@demo.creator/video/${'id' in settled ? settled.id : ''}`)
  const film = await fetch(shown?.media[0] ?? '')
  expect(Buffer.from(await film.arrayBuffer())).toEqual(clip)
})

test('comments, duets, and stitches are on only where the author allows them', async () => {
  const sentFor = async (metadata: object, person?: string) => {
    await prepared(await open({ metadata: { privacyLevel: 'SELF_ONLY', ...metadata } }, person))
    const { post_info: info } = JSON.parse(String(sentTo('init').at(-1)?.body))
    return [info.disable_comment, info.disable_duet, info.disable_stitch]
  }
  expect(await sentFor({})).toEqual([true, true, true])
  expect(await sentFor({ disableComment: true, disableDuet: false })).toEqual([true, false, true])
  const all = { disableComment: false, disableDuet: false, disableStitch: false }
  expect(await sentFor(all)).toEqual([false, false, false])
  // Comments are disabled for this account.
  expect(await sentFor(all, shy.id)).toEqual([true, false, false])
})

test('labels what is paid, an own brand, and made with AI as the author says', async () => {
  const fields = ['brandContentToggle', 'brandOrganicToggle', 'isAigc']
  for (const field of fields) {
    await prepared(await open({ metadata: { privacyLevel: 'PUBLIC_TO_EVERYONE', [field]: true } }))
    const { post_info: info } = JSON.parse(String(sentTo('init').at(-1)?.body))
    const labels = [info.brand_content_toggle, info.brand_organic_toggle, info.is_aigc]
    expect(labels).toEqual(fields.map((candidate) => candidate === field))
  }
})

test('uploads a long video in chunks ahead; the last one publishes on time', async () => {
  const long = longFilm(25_000_001)
  const call = await open({ media: [await videoFile(long)] })
  const { ready } = await prepared(call)
  expect(JSON.parse(String(sentTo('init')[0]?.body))).toMatchObject({
    source_info: { video_size: 25_000_001, chunk_size: 10_000_000, total_chunk_count: 2 },
  })
  const ranges = () => puts().map(({ headers, status }) => [headers['content-range'], status])
  expect(ranges()).toEqual([['bytes 0-9999999/25000001', 206]])
  site.pass(30 * 60_000)
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
  await failureOf(commit(call, ready))
  expect(ranges()[1]).toEqual(['bytes 10000000-25000000/25000001', 201])
  site.pass(5000)
  const [shown] = platforms.published()
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer()).equals(long)).toBe(true)
})

test('a long upload runs in phases that resume', async () => {
  const call = await open({ media: [await videoFile(longFilm(40_000_000))] })
  const slow = { ...call, ctx: slowly(call.ctx, 15_000) }
  const first = await tiktok.prepare?.(slow, undefined)
  expect(first).toMatchObject({ waitSeconds: 1, resume: { next: 20_000_000 } })
  if (!first || !('resume' in first)) throw new Error('expected to wait')
  const { ready } = await prepared(slow, JSON.parse(JSON.stringify(first.resume)))
  expect(ready).toMatchObject({ next: 30_000_000 })
  expect(puts().map(({ status }) => status)).toEqual([206, 206, 206])
  expect(operations().filter((operation) => operation === 'init')).toHaveLength(1)
  expect(operations().filter((operation) => operation === 'creator')).toHaveLength(1)
})

test('a chunk that another worker sent ends the phase and not the post', async () => {
  const call = await open({ media: [await videoFile(longFilm(20_000_000))] })
  fault({ operation: 'upload', fault: 'status', status: 400 })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient', info: { httpStatus: 400 } })
})

test('resumes at TikTok’s offset after a lost response, and replaces an expired upload URL', async () => {
  const call = await open({ media: [await videoFile(longFilm(30_000_000))] })
  const slow = { ...call, ctx: slowly(call.ctx, 30_000) }
  const first = await tiktok.prepare?.(slow, undefined)
  if (!first || !('resume' in first)) throw new Error('expected to wait')
  fault({ operation: 'upload', fault: 'landed_then_reset' })
  expect(await failureOf(prepared(call, first.resume))).toMatchObject({ errorClass: 'transient' })
  await prepared(call, first.resume)
  expect(puts().map(({ status }) => status)).toEqual([206, 0, 416])
  fault({ operation: 'upload', fault: 'status', status: 404 })
  expect((await prepared(call, first.resume)).ready['publishId']).not.toBe(first.resume['publishId'])
  site.pass(51 * 60_000)
  expect((await prepared(call, first.resume)).ready['publishId']).not.toBe(first.resume['publishId'])
  expect(sentTo('init')).toHaveLength(3)
})

test('rejects what the account cannot do before sending, and respects disabled interactions', async () => {
  const many = await open({ metadata: { privacyLevel: 'PUBLIC_TO_EVERYONE' } }, shy.id)
  const failure = await failureOf(prepared(many))
  expect(failure).toMatchObject({ errorClass: 'invalid' })
  expect(failure.message).toContain('Choose one of FOLLOWER_OF_CREATOR, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY')
  const media = async (durationMs: number) => [{ ...(await videoFile()), durationMs }]
  expect(await failureOf(prepared(await open({ media: await media(60_001) }, shy.id)))).toMatchObject({
    errorClass: 'invalid',
    message: 'TikTok accepts videos of at most 60 s from this account; this one has 60.001 s.',
  })
  expect(operations()).not.toContain('init')
  await prepared(await open({ media: await media(60_000) }, shy.id))
  expect(JSON.parse(String(sentTo('init')[0]?.body)).post_info).toMatchObject({ disable_comment: true })
})

test('returns the profile URL for a post that is not public to everyone', async () => {
  const call = await open({ metadata: { privacyLevel: 'SELF_ONLY' } })
  const ready = await sent(call)
  site.pass(5000)
  expect(await probe(call, ready)).toEqual({
    kind: 'published',
    id: null,
    url: 'https://www.tiktok.com/@demo.creator',
  })
  const nameless = { ...call, account: { ...call.account, username: null } }
  expect(await probe(nameless, ready)).toEqual({ kind: 'published', id: null, url: null })
})

test('a video that TikTok never finishes stays unclear', async () => {
  const call = await open({ text: 'x #processing_stuck' })
  const ready = await sent(call)
  site.pass(90 * 60_000)
  const account = (await anew(call)).account
  expect(await probe({ ...call, account }, ready)).toEqual({ kind: 'unclear' })
})

test('waits for moderation for a bounded time', async () => {
  const call = await open({ text: 'slow #moderation_slow' })
  const ready = await sent(call)
  site.pass(5000)
  expect(await probe(call, ready, 299_999)).toEqual({ kind: 'unclear' })
  expect(await probe(call, ready, 300_000)).toEqual({
    kind: 'published',
    id: null,
    url: 'https://www.tiktok.com/@demo.creator',
  })
})

test.each(['publicaly_available_post_id', 'publicly_available_post_id'])('%s may be text as well', async (field) => {
  const call = await open()
  const ready = await sent(call)
  const data = { status: 'PUBLISH_COMPLETE', [field]: ['7400000000000000777'] }
  fault({ operation: 'status', fault: 'status', status: 200, body: { data, error: { code: 'ok' } } })
  expect(await probe(call, ready)).toMatchObject({ id: '7400000000000000777' })
})

test('builds the URL of a post whose id is a bare number', async () => {
  const call = await open()
  const ready = await sent(call)
  const body =
    '{"data":{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":7400000000000000777},"error":{"code":"ok"}}'
  fault({ operation: 'status', fault: 'status', status: 200, body })
  const url = 'https://www.tiktok.com/@demo.creator/video/7400000000000000777'
  expect(await probe(call, ready)).toMatchObject({ id: '7400000000000000777', url })
})

test('a lost response is unknown; probing and repeating lead to the same post', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  site.pass(5000)
  const [shown] = platforms.published()
  expect(await commit(call, ready)).toMatchObject({ url: shown?.url })
  expect(await probe(call, ready)).toMatchObject({ kind: 'published', url: shown?.url })
  expect(platforms.published()).toHaveLength(1)
})

test('does not resend a video whose status lags', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  const data = { status: 'PROCESSING_UPLOAD', uploaded_bytes: 0 }
  fault({ operation: 'status', fault: 'status', status: 200, body: { data, error: { code: 'ok' } } })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
})

test('bytes that never arrived are absent, and can be sent to the same URL', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ fault: 'reset_before' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
  await failureOf(commit(call, ready))
  site.pass(5000)
  expect(platforms.published()).toHaveLength(1)
})

test('prepares again after an expired upload URL, and probes one that may have been used', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  site.pass(61 * 60_000)
  const failure = await failureOf(commit({ ...call, account: (await anew(call)).account }, ready))
  expect(failure).toMatchObject({ errorClass: 'transient', info: { preparedGone: true, httpStatus: 403 } })
  const other = await open()
  const used = await sent(other)
  fault({ fault: 'status', status: 404 })
  expect(await failureOf(commit(other, used))).toMatchObject({ errorClass: 'unknown' })
  fault({ fault: 'status', status: 404 })
  fault({ operation: 'status', fault: 'status', status: 500 })
  expect(await failureOf(commit(other, used))).toMatchObject({ errorClass: 'unknown' })
  site.pass(5000)
  expect(await commit(other, used)).toMatchObject({ id: expect.any(String) })
})
