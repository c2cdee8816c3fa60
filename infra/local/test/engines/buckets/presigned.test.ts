import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTo, expectRefusal, onAws, startEngine, startTestBucket, type TestBucket } from './start.ts'

let testBucket: TestBucket
let presigner: S3Client
beforeAll(async () => {
  testBucket = await startTestBucket()
  presigner = testBucket.connect({ requestChecksumCalculation: 'WHEN_REQUIRED' })
})
afterAll(() => testBucket.close())

const bound = { signableHeaders: new Set(['host', 'content-type', 'content-length']) }
const putCommand = (Key: string, more = {}) => new PutObjectCommand({ Bucket: testBucket.bucket, Key, ...more })
const getCommand = (Key: string, more = {}) => new GetObjectCommand({ Bucket: testBucket.bucket, Key, ...more })
const send = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body, headers })

describe('a presigned upload', () => {
  test('stores the file and returns it by a presigned download', async () => {
    const put = await send(await getSignedUrl(presigner, putCommand('file')), 'bytes')
    expect(put.status).toBe(200)
    const got = await fetch(await getSignedUrl(presigner, getCommand('file')))
    expect([got.status, await got.text()]).toEqual([200, 'bytes'])
    const part = await fetch(await getSignedUrl(presigner, getCommand('file')), { headers: { range: 'bytes=1-2' } })
    expect([part.status, await part.text()]).toEqual([206, 'yt'])
  })

  test('takes one way of authentication, as S3 does', async () => {
    const url = await getSignedUrl(presigner, putCommand('twice'))
    const refused = await send(url, 'bytes', { authorization: 'AWS4-HMAC-SHA256 Credential=x' })
    expect(await refused.clone().text()).toContain('<ArgumentName>Authorization</ArgumentName>')
    await expectRefusal(refused, 400, 'InvalidArgument')
    expect((await send(url, 'bytes')).status).toBe(200)
  })

  test('of the default client carries the checksum of an empty body, so every real file is BadDigest', async () => {
    const url = await getSignedUrl(testBucket.client, putCommand('trap'))
    expect(url).toContain('x-amz-checksum-crc32=AAAAAA%3D%3D')
    await expectRefusal(await send(url, 'a real file'), 400, 'BadDigest')
    expect((await send(url, '')).status).toBe(200)
  })

  test('binds its length, and its type only if the signer includes it', async () => {
    const command = putCommand('bound', { ContentType: 'image/png', ContentLength: 5 })
    const loose = await getSignedUrl(presigner, command)
    expect((await send(loose, 'bytes', { 'content-type': 'text/html' })).status).toBe(200)
    await expectRefusal(await send(loose, 'bytes!', { 'content-type': 'image/png' }), 403, 'SignatureDoesNotMatch')
    const tight = await getSignedUrl(presigner, command, bound)
    await expectRefusal(await send(tight, 'bytes', { 'content-type': 'text/html' }), 403, 'SignatureDoesNotMatch')
    await expectRefusal(await send(tight, 'bytes!', { 'content-type': 'image/png' }), 403, 'SignatureDoesNotMatch')
    expect((await send(tight, 'bytes', { 'content-type': 'image/png' })).status).toBe(200)
  })

  test('carries its metadata in the URL', async () => {
    const url = await getSignedUrl(presigner, putCommand('meta', { Metadata: { owner: 'me' } }))
    expect((await send(url, 'x')).status).toBe(200)
    const stored = await testBucket.client.send(getCommand('meta'))
    expect(stored.Metadata).toEqual({ owner: 'me' })
  })

  test('allows no additional x-amz- header and no change of key or method', async () => {
    const url = await getSignedUrl(presigner, putCommand('mine'))
    await expectRefusal(await send(url, 'x', { 'x-amz-meta-extra': '1' }), 403, 'AccessDenied')
    await expectRefusal(await send(url.replace('/mine?', '/yours?'), 'x'), 403, 'SignatureDoesNotMatch')
    await expectRefusal(await fetch(url), 403, 'SignatureDoesNotMatch')
    await expectRefusal(await send(url.replace('Expires=900', 'Expires=901'), 'x'), 403, 'SignatureDoesNotMatch')
  })

  test('can be create-only', async () => {
    const signed = { signableHeaders: new Set(['host', 'if-none-match']) }
    const url = await getSignedUrl(presigner, putCommand('new', { IfNoneMatch: '*' }), signed)
    expect((await send(url, 'one', { 'if-none-match': '*' })).status).toBe(200)
    await expectRefusal(await send(url, 'two', { 'if-none-match': '*' }), 412, 'PreconditionFailed')
  })
})

describe('a presigned download', () => {
  test('can override the response headers of the object', async () => {
    await testBucket.client.send(putCommand('shown', { Body: 'x', ContentType: 'text/html' }))
    const wish = { ResponseContentType: 'text/plain', ResponseContentDisposition: 'attachment; filename="a b.txt"' }
    const answer = await fetch(await getSignedUrl(presigner, getCommand('shown', wish)))
    expect(answer.headers.get('content-type')).toBe('text/plain')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="a b.txt"')
  })

  test('accepts its parameters in any order', async () => {
    await testBucket.client.send(putCommand('order', { Body: 'x' }))
    const url = new URL(await getSignedUrl(presigner, getCommand('order')))
    url.search = url.search.slice(1).split('&').reverse().join('&')
    expect((await fetch(url)).status).toBe(200)
  })

  test('returns an error for a missing object', async () => {
    await expectRefusal(await fetch(await getSignedUrl(presigner, getCommand('missing'))), 404, 'NoSuchKey')
  })

  test('expires within a week at most', async () => {
    const url = await getSignedUrl(presigner, getCommand('file'), { expiresIn: 604_800 })
    await expectRefusal(await fetch(url.replace('=604800', '=604801')), 400, 'AuthorizationQueryParametersError')
  })
})

test.skipIf(onAws)('a presigned URL expires at its time and not before', async () => {
  const { buckets, clock, pass } = await startEngine()
  buckets.create('bucket')
  const client = connectTo(buckets, { requestChecksumCalculation: 'WHEN_REQUIRED' })
  const command = new PutObjectCommand({ Bucket: 'bucket', Key: 'k' })
  const url = await getSignedUrl(client, command, { expiresIn: 600, signingDate: new Date(clock.now()) })
  pass(590_000)
  expect((await send(url, 'in time')).status).toBe(200)
  pass(20_000)
  await expectRefusal(await send(url, 'too late'), 403, 'AccessDenied')
  const early = await getSignedUrl(client, command, { signingDate: new Date(clock.now() + 3_600_000) })
  await expectRefusal(await send(early, 'too early'), 403, 'AccessDenied')
  expect((await buckets.read('bucket', 'k'))?.toString()).toBe('in time')
  await buckets.close()
})

test.skipIf(onAws)('any key can be signed, written, listed, and read', async () => {
  // A URL cannot hold a path segment of dots, so no browser could reach such a key (on AWS neither).
  const keys = fc
    .oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), fc.webPath({ size: 'small' }))
    .filter((key) => key !== '' && !key.split('/').some((segment) => segment === '.' || segment === '..'))
  await fc.assert(
    fc.asyncProperty(keys, async (key) => {
      const put = await send(await getSignedUrl(presigner, putCommand(key)), `body of ${key}`)
      expect([key, put.status, await put.text()]).toEqual([key, 200, ''])
      const got = await fetch(await getSignedUrl(presigner, getCommand(key)))
      expect(await got.text()).toBe(`body of ${key}`)
    }),
    { numRuns: 150 },
  )
})
