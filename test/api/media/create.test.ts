import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../../infra/local/service/invocation.ts'
import { equal } from '../../../shared/db/expression.ts'
import { queryAll } from '../../../shared/db/table.ts'
import { jobsPartitionOf } from '../../../shared/media/job.ts'
import { minuteMs } from '../../../shared/time.ts'
import { setPlan } from '../../../shared/workspaces/plan.ts'
import { selfHosted } from '../../../shared/workspaces/subscription.ts'
import { srt, vtt } from '../../media/captions.ts'
import { clip } from '../../media/clips.ts'
import { docx, oldDoc, pdf, zip } from '../../media/documents.ts'
import { gif, jpeg, png, webp } from '../../media/files.ts'
import { listFiles } from '../../workspaces/files.ts'
import { type MediaFixture, serveMedia } from './gallery.ts'

const mediaService = serveMedia()

const bodyOf = (bytes: Buffer, more: object = {}) => ({
  content: bytes.toString('base64'),
  filename: 'a file',
  ...more,
})
const create = (fixture: MediaFixture, bytes: Buffer, more: object = {}, headers = {}) =>
  fixture.call('POST', '', bodyOf(bytes, more), headers)

/** Nothing is left of a refused file: no row, no object, and no work. */
const expectNothing = async (fixture: MediaFixture) => {
  expect(await fixture.list()).toMatchObject({ total: 0, items: [] })
  expect(await listFiles(fixture, fixture.workspaceId)).toEqual([])
  expect(await queryAll(fixture.ctx, { key: equal('PK', jobsPartitionOf(fixture.workspaceId)) })).toEqual([])
}

test.each([
  ['image/png', png(30, 20), 'png', { width: 30, height: 20 }],
  ['image/jpeg', jpeg(30, 20), 'jpg', { width: 30, height: 20 }],
  ['image/gif', gif(30, 20), 'gif', { width: 30, height: 20 }],
  ['image/webp', webp.lossy(30, 20), 'webp', { width: 30, height: 20 }],
  [
    'video/mp4',
    clip({ width: 540, height: 960, durationMs: 4320 }),
    'mp4',
    { width: 540, height: 960, duration: 4320 },
  ],
  ['application/pdf', pdf(), 'pdf', {}],
  ['application/msword', oldDoc(), 'doc', {}],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', docx(), 'docx', {}],
  ['text/vtt', Buffer.from(vtt), 'vtt', {}],
  ['application/x-subrip', Buffer.from(srt), 'srt', {}],
])('a %s is added whatever its name says, and served as an upload is', async (mimeType, bytes, extension, measured) => {
  const fixture = await mediaService.open()
  const { status, body } = await create(fixture, bytes, { filename: 'view.bmp', altText: 'A view' })
  const { id } = body.data
  const storageKey = `media/uploads/${fixture.workspaceId}/${id}.${extension}`
  const file = {
    mimeType,
    storageKey,
    originalFilename: `view.${extension}`,
    fileSize: bytes.length,
    altText: 'A view',
  }
  expect([status, body.data]).toMatchObject([201, { ...file, ...measured }])
  expect((await fixture.call('GET', `/${id}`)).body.data).toEqual(body.data)
  const uploaded = await fixture.add({ bytes, mimeType }, { altText: 'A view' })
  const own = ['id', 'sha256', 'storageKey', 'url', 'previewUrl', 'originalFilename', 'createdAt']
  const shared = (data: object) => Object.fromEntries(Object.entries(data).filter(([name]) => !own.includes(name)))
  expect(shared(body.data)).toEqual(shared(uploaded.body.data))
  const [ours, theirs] = await Promise.all([fetch(body.data.url), fetch(uploaded.body.data.url)])
  for (const name of ['content-type', 'content-disposition', 'cache-control']) {
    expect(ours.headers.get(name), name).toBe(theirs.headers.get(name))
  }
  expect(Buffer.from(await ours.arrayBuffer()).equals(bytes)).toBe(true)
})

test('an image gets its preview, and its job ends', async () => {
  const fixture = await mediaService.open()
  const { body } = await create(fixture, webp.lossless(1, 1))
  await fixture.service.pass(3 * minuteMs)
  expect((await fixture.call('GET', `/${body.data.id}`)).body.data.id).toBe(body.data.id)
  expect(await queryAll(fixture.ctx, { key: equal('PK', jobsPartitionOf(fixture.workspaceId)) })).toEqual([])
})

const small = png(30, 20)
const base64 = small.toString('base64')

test.each([
  ['nothing', '', /"content" must have at least 1 character/],
  ['no base64', 'a picture of a cat', /"content" must be base64 \(RFC 4648, section 4\)/],
  ['line breaks', base64.replace(/(.{20})/, '$1\n'), /without line breaks/],
  ['a data URL', `data:image/png;base64,${base64}`, /without a start such as "data:image\/png;base64,"/],
  ['the other alphabet', Buffer.from([0xff, 0xd8, 0xff, 0xfb, 0xff]).toString('base64url'), /must be base64/],
  ['no padding', Buffer.from('GIF89a1').toString('base64').replace(/=+$/, ''), /must be base64/],
  ['half of a letter', `${base64}A`, /must be base64/],
])('content with %s is refused', async (_, content, error) => {
  const fixture = await mediaService.open()
  const answer = await fixture.call('POST', '', { content, filename: 'a.png' })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input', field: 'content' } })
  expect(answer.body.error).toMatch(error)
  expect(answer.text.length).toBeLessThan(1_000)
  await expectNothing(fixture)
})

test.each([
  [
    'a HEIC image',
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    'media_type',
    /HEIC image \(save it as JPEG\)/,
  ],
  ['a web page', Buffer.from('<!doctype html><title>x</title>'), 'media_type', /is a web page\. It must be a JPEG/],
  ['a ZIP archive', zip({ 'a.txt': 'a' }), 'media_type', /is a ZIP archive/],
  ['half an image', small.subarray(0, -20), 'media_truncated', /cut off/],
  ['half a document', Buffer.from('%PDF-1.7 and no end'), 'media_truncated', /cut off/],
  [
    'an image with an archive behind it',
    Buffer.concat([small, zip({ 'a.txt': 'a' })]),
    'media_polyglot',
    /ZIP archive/,
  ],
  [
    'captions above 1 MB',
    Buffer.concat([Buffer.from(vtt), Buffer.alloc(1_000_001 - Buffer.byteLength(vtt), ' ')]),
    'media_size',
    /has 1000001 bytes\. Send at most 1000000/,
  ],
])('%s is refused and leaves nothing', async (_, bytes, code, error) => {
  const fixture = await mediaService.open()
  const answer = await create(fixture, bytes)
  expect(answer).toMatchObject({ status: 400, body: { code, field: 'content' } })
  expect(answer.body.error).toMatch(error)
  await expectNothing(fixture)
})

test('a file has at most 4,000,000 bytes; above, the error names the other ways', async () => {
  const fixture = await mediaService.open()
  const sized = (bytes: number) => Buffer.concat([small, Buffer.alloc(bytes - small.length)])
  for (const bytes of [3_999_999, 4_000_000]) {
    expect(await create(fixture, sized(bytes))).toMatchObject({ status: 201 })
  }
  const above = await create(fixture, sized(4_000_001))
  expect(above).toMatchObject({ status: 400, body: { code: 'invalid_input', field: 'content' } })
  expect(above.body.error).toBe(
    '"content" must have at most 4000000 bytes, and has 4000001. Send its public address in "mediaUrls" of a post, or upload it with POST /api/media/upload-url.',
  )
  const far = await create(fixture, sized(4_200_000))
  expect(far).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  expect(far.body.error).toMatch(/Send at most 5500000\. .*"mediaUrls".*upload-url/)
  expect(await fixture.list()).toMatchObject({ total: 2 })
})

test('a file above a quota is refused, and leaves nothing', async () => {
  const fixture = await mediaService.open()
  const { ctx, workspaceId } = fixture
  await setPlan(ctx, workspaceId, selfHosted, { quotas: { storageBytes: small.length - 1 } })
  const full = { code: 'quota_exceeded', quota: 'storageBytes', limit: small.length - 1, used: 0 }
  expect(await create(fixture, small)).toMatchObject({ status: 409, body: full })
  await setPlan(ctx, workspaceId, selfHosted, { quotas: { storageBytes: small.length, uploadMebibytes: 1 } })
  const two = Buffer.concat([small, Buffer.alloc(2 ** 20)])
  expect(await create(fixture, two)).toMatchObject({ status: 409, body: { quota: 'storageBytes' } })
  await expectNothing(fixture)
  expect((await create(fixture, small)).status).toBe(201)
  await setPlan(ctx, workspaceId, selfHosted, { quotas: { uploadMebibytes: 1 } })
  const often = { code: 'quota_rate_exceeded', quota: 'uploadMebibytes' }
  expect(await create(fixture, small)).toMatchObject({ status: 429, body: often })
  expect(await fixture.list()).toMatchObject({ total: 1 })
})

test('a repeat with the same Idempotency-Key is one file, also at the same time', async () => {
  const fixture = await mediaService.open()
  const headers = { 'Idempotency-Key': 'a picture once' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(fixture, small, {}, headers)))
  answers.push(await create(fixture, small, {}, headers))
  for (const { status, body } of answers) expect([status, body]).toEqual([201, answers[0]?.body])
  expect((await create(fixture, small, { filename: 'another' }, headers)).status).toBe(422)
  await fixture.service.pass(3 * minuteMs)
  expect(await fixture.list()).toMatchObject({ total: 1 })
  const files = await listFiles(fixture, fixture.workspaceId)
  expect(files.filter((key) => key.startsWith('media/uploads/'))).toEqual([answers[0]?.body.data.storageKey])
})

test('a file whose bucket fails has no row', async () => {
  const fixture = await mediaService.open()
  const fail: ObserveFunction = ({ functionName, action }, run) => {
    if (functionName === 'media-create' && action === 'PutObject') throw new Error('the bucket is gone')
    return run()
  }
  expect((await mediaService.watch(fail, () => create(fixture, small))).status).toBe(500)
  expect(await fixture.list()).toMatchObject({ total: 0 })
  await fixture.service.pass(3 * minuteMs)
  await expectNothing(fixture)
})

test('a token without the scope, and a member of another workspace, add nothing', async () => {
  const fixture = await mediaService.open()
  const { token } = await fixture.sessionApi.cli.createToken({
    body: { name: 'reader', workspaceId: fixture.workspaceId, scopes: ['media:read'] },
  })
  const reader = { Authorization: `Bearer ${token}` }
  expect(await create(fixture, small, {}, reader)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  const elsewhere = { 'X-Workspace-Id': 'ws_01KAJ2J4B6D8F0H2K4M6P8R0T2' }
  expect([403, 404]).toContain((await create(fixture, small, {}, elsewhere)).status)
  await expectNothing(fixture)
})
