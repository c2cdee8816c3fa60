import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { blueskySeed } from '../../infra/local/platforms/bluesky.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import type { PlatformCall, PreparedRef } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connect } from '../../shared/platforms/bluesky/connect.ts'
import { definition } from '../../shared/platforms/bluesky/definition.ts'
import { bluesky } from '../../shared/platforms/bluesky/publish.ts'
import { readClaims } from '../../shared/platforms/bluesky/session.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { anyPicture, anyVideo } from './any-file.ts'
import { accountOf, failureOf, startSite } from './site.ts'
import { clip } from './visit.ts'

const site = await startSite()
const { platforms } = site
const { account: person } = blueskySeed

beforeEach(() => platforms.reset())
afterAll(() => site.close())

const operations = () => platforms.calls().map(({ operation }) => operation)
const sentTo = (operation: string) => platforms.calls().filter((call) => call.operation === operation)
const fault = (more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) =>
  platforms.faults.add({ platform: 'bluesky', operation: 'job', times: 1, ...more })
const answers = (operation: string, status: number, body: object) => fault({ operation, fault: 'status', status, body })

async function open(bytes: Uint8Array = clip): Promise<PlatformCall> {
  const ctx = site.ctx()
  const login = { identifier: person.handle, appPassword: person.appPassword }
  const account = accountOf(await connect(ctx, login))
  const more = { mimeType: 'video/mp4', originalFilename: 'clip.mp4', altText: 'a loaf', width: 16, height: 9 }
  const call = { ctx, account, post: site.post({ text: 'Bread', media: [await site.file(more, bytes)] }) }
  platforms.reset()
  return call
}

const prepare = async (call: PlatformCall, resume?: PreparedRef) => {
  const done = await bluesky.prepare?.(call, resume)
  if (done === undefined) throw new Error('expected a preparation')
  return done
}

/** Retries after the given delay until the video is ready. */
async function prepared(call: PlatformCall) {
  let done = await prepare(call)
  for (let attempts = 0; 'resume' in done && attempts < 20; attempts += 1) {
    site.pass(done.waitSeconds * 1000)
    done = await prepare(call, done.resume)
  }
  if ('resume' in done) throw new Error('expected to be ready')
  return done
}

test('a video is sent once, waited for, and shown with its text and size', async () => {
  const call = await open()
  const { ready, expiresAtMs } = await prepared(call)
  expect(operations()).toEqual(['service', 'limits', 'service', 'video', 'job', 'job', 'job', 'job'])
  expect(expiresAtMs).toBe(site.now() + 30 * 60_000)
  expect(platforms.published()).toEqual([])
  const landed = await bluesky.commit(call, ready, clientKeyOf(bluesky, call.post), undefined)
  expect(platforms.published()).toMatchObject([{ text: 'Bread', url: landed.url }])
  const put = z
    .object({ record: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(String(sentTo('create')[0]?.body)))
  expect(put.record['embed']).toEqual({
    $type: 'app.bsky.embed.video',
    video: { $type: 'blob', ref: { $link: expect.any(String) }, mimeType: 'video/mp4', size: clip.length },
    alt: 'a loaf',
    aspectRatio: { width: 16, height: 9 },
  })
})

test('the requests are those of the lexicons, field by field', async () => {
  const call = await open()
  const nowSeconds = Math.floor(site.now() / 1000)
  const started = await prepare(call)
  const [forLimits, forUpload] = sentTo('service').map(({ query }) => Object.fromEntries(new URLSearchParams(query)))
  const exp = String(nowSeconds + 1800)
  expect(forLimits).toEqual({ aud: 'did:web:video.bsky.app', lxm: 'app.bsky.video.getUploadLimits', exp })
  expect(forUpload).toEqual({ aud: 'did:web:127.0.0.1', lxm: 'com.atproto.repo.uploadBlob', exp })
  for (const { headers } of sentTo('service')) {
    expect(headers['authorization']).toBe(`Bearer ${call.account.credentials['accessJwt']}`)
  }
  const [video] = sentTo('video')
  expect(video).toMatchObject({
    method: 'POST',
    path: '/xrpc/app.bsky.video.uploadVideo',
    headers: { 'content-type': 'video/mp4', 'content-length': String(clip.length) },
  })
  expect(video?.body.equals(clip)).toBe(true)
  expect(Object.fromEntries(new URLSearchParams(video?.query))).toEqual({
    did: call.account.externalId,
    name: `${call.post.id}.mp4`,
  })
  for (const { headers } of [...sentTo('limits'), ...sentTo('video')]) {
    // The account's own tokens stay with its server.
    expect(headers['authorization']).not.toContain(call.account.credentials['accessJwt'])
    expect(readClaims(headers['authorization']?.slice(7) ?? '')).toMatchObject({ exp: nowSeconds + 1800 })
  }
  if (!('resume' in started)) throw new Error('expected to wait')
  await prepare(call, started.resume)
  const [job] = sentTo('job')
  expect(job?.query).toBe(`jobId=${encodeURIComponent(String(started.resume['jobId']))}`)
  expect(job?.headers['authorization']).toBeUndefined()
})

test('an upload whose answer is lost is sent again, and continues with the job that it had', async () => {
  const call = await open()
  fault({ operation: 'video', fault: 'landed_then_reset' })
  expect(await failureOf(prepare(call))).toMatchObject({ errorClass: 'transient' })
  site.pass(60_000)
  expect(await prepared(call)).toMatchObject({ ready: { embed: { $type: 'app.bsky.embed.video' } } })
  expect(sentTo('video').map(({ status }) => status)).toEqual([0, 409])
})

test('a job that comes without the object around it is understood', async () => {
  const call = await open()
  answers('video', 200, { jobId: 'j1', did: person.did, state: 'JOB_STATE_CREATED' })
  expect(await prepare(call)).toEqual({ waitSeconds: 2, resume: { jobId: 'j1', sinceMs: site.now() } })
})

test.each([
  ['validation_failure', 'invalid', undefined, 'Bluesky rejected the video: too long'],
  [
    'pds_upload_unsupported_blob_size',
    'invalid',
    undefined,
    'Bluesky server of this account does not store videos of this size: too long',
  ],
  ['encoding_failure', 'transient', true, 'Bluesky could not process the video: too long'],
  ['pds_upload_failure', 'transient', true, 'Bluesky could not process the video: too long'],
  ['generic_failure', 'transient', true, 'Bluesky could not process the video: too long'],
  [undefined, 'transient', true, 'Bluesky could not process the video: too long'],
] as const)('a job that failed with %s says why', async (failureCode, errorClass, preparedGone, message) => {
  const call = await open()
  const jobStatus = { jobId: 'j', did: person.did, state: 'JOB_STATE_FAILED', error: 'too long', failureCode }
  answers('job', 200, { jobStatus })
  const resume = { jobId: 'j', sinceMs: site.now() }
  const error = await failureOf(prepare(call, resume))
  expect({ ...error.info, class: error.errorClass, message: error.message }).toMatchObject({
    class: errorClass,
    message,
    ...(preparedGone ? { preparedGone } : {}),
  })
})

test('a file that is no video fails with the reason of the service', async () => {
  const call = await open(Buffer.alloc(1000, 1))
  expect(await failureOf(prepared(call))).toMatchObject({
    errorClass: 'invalid',
    message: 'Bluesky rejected the video: not a video',
  })
})

test.each([
  [
    { canUpload: false, message: 'User has exceeded daily upload videos limit' },
    'quota',
    /exceeded daily upload videos/,
  ],
  [{ canUpload: false }, 'quota', /now: no reason given$/],
  [{ canUpload: true, remainingDailyVideos: 0 }, 'quota', /no videos are left today/],
  [
    { canUpload: true, remainingDailyBytes: clip.length - 1 },
    'quota',
    /1027 bytes are left today, and the video has 1028/,
  ],
  [{ canUpload: false, error: 'unconfirmed_email' }, 'blocked', /email address is not confirmed\. Confirm it/],
  [{ canUpload: false, message: 'Confirm your email address to upload videos' }, 'blocked', /not confirmed/],
] as const)('limits of the account are reported before the upload: %o', async (limits, errorClass, message) => {
  const call = await open()
  answers('limits', 200, limits)
  const error = await failureOf(prepare(call))
  expect(error).toMatchObject({ errorClass, message: expect.stringMatching(message) })
  if (errorClass === 'quota') expect(error.info.retryAfterSeconds).toBe(3600)
  expect(sentTo('video')).toEqual([])
})

test('a remaining quota of exactly the size of the video is enough', async () => {
  const call = await open()
  answers('limits', 200, { canUpload: true, remainingDailyVideos: 1, remainingDailyBytes: clip.length })
  expect(await prepare(call)).toHaveProperty('resume')
})

test.each([
  [401, { error: 'unconfirmed_email', message: 'Confirm your email address to upload videos' }, 'blocked'],
  [403, { error: 'User is not allowed to upload videos' }, 'quota'],
  [400, { error: 'User has exceeded daily upload bytes limit' }, 'quota'],
  [400, { error: 'file size (300000001 bytes) is larger than the maximum allowed size (300000000 bytes)' }, 'invalid'],
  [413, {}, 'invalid'],
  [401, { error: 'BadJwtAudience', message: 'jwt audience does not match service did' }, 'transient'],
  [404, {}, 'transient'],
  [409, { error: 'busy' }, 'transient'],
  [429, { error: 'RateLimitExceeded' }, 'rate'],
  [503, {}, 'transient'],
] as const)('an upload refused with %i %o never costs the account', async (status, body, errorClass) => {
  const call = await open()
  answers('video', status, body)
  expect(await failureOf(prepare(call))).toMatchObject({ errorClass })
})

test('a job that is unknown, or takes longer than its token lasts, is begun again', async () => {
  const call = await open()
  const unknown = await failureOf(prepare(call, { jobId: 'none', sinceMs: site.now() }))
  expect(unknown).toMatchObject({ errorClass: 'transient', info: { preparedGone: true } })
  const jobStatus = { jobId: 'j', did: person.did, state: 'JOB_STATE_ENCODING' }
  for (const [waitedMs, ends] of [
    [1_800_000, false],
    [1_800_001, true],
  ] as const) {
    answers('job', 200, { jobStatus })
    const resume = { jobId: 'j', sinceMs: site.now() - waitedMs }
    if (ends) {
      expect(await failureOf(prepare(call, resume))).toMatchObject({ info: { preparedGone: true } })
    } else expect(await prepare(call, resume)).toEqual({ waitSeconds: 30, resume })
  }
})

const codes = (...media: readonly ReturnType<typeof anyVideo>[]) =>
  checkPost(definition, { socialAccountId: 'acc_1', content: '', metadata: undefined, media }).map(({ code }) => code)

test('one mp4 of at most 300,000,000 bytes, and never alongside images', () => {
  for (const fileSize of [299_999_999, 300_000_000]) expect(codes(anyVideo({ fileSize }))).toEqual([])
  expect(codes(anyVideo({ fileSize: 300_000_001 }))).toEqual(['media_size'])
  expect(codes(anyVideo(), anyVideo())).toEqual(['media_count'])
  expect(codes(anyVideo(), anyPicture())).toEqual(['media_type'])
  expect(codes(anyVideo({ mimeType: 'video/quicktime' }))).toEqual(['media_type'])
})
