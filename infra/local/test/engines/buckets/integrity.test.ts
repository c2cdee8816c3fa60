import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeSent } from './change-sent.ts'
import { connectTo, onAws, startEngine, startTestBucket, type TestBucket } from './start.ts'

let testBucket: TestBucket
beforeAll(async () => {
  testBucket = await startTestBucket()
})
afterAll(() => testBucket.close())

// The check values of the two CRCs are those of their public catalog.
const sums = { CRC32: 'y/Q5Jg==', CRC32C: '4waSgw==', SHA1: createHash('sha1').update('123456789').digest('base64') }
const sha256 = createHash('sha256').update('123456789').digest('base64')
const checks = Object.entries({ ...sums, SHA256: sha256 })

const put = (client: S3Client, more = {}) =>
  client.send(new PutObjectCommand({ Bucket: testBucket.bucket, Key: 'sum', Body: '123456789', ...more }))

describe('checksums', () => {
  test.each(checks)('%s is computed by the client, checked, stored, and returned', async (ChecksumAlgorithm, value) => {
    const field = `Checksum${ChecksumAlgorithm}`
    expect(await put(testBucket.client, { ChecksumAlgorithm })).toMatchObject({ [field]: value })
    const address = { Bucket: testBucket.bucket, Key: 'sum' }
    expect(await testBucket.client.send(new HeadObjectCommand(address))).not.toHaveProperty(field)
    const head = await testBucket.client.send(new HeadObjectCommand({ ...address, ChecksumMode: 'ENABLED' }))
    expect(head).toMatchObject({ [field]: value, ChecksumType: 'FULL_OBJECT' })
    const answer = await testBucket.client.send(new GetObjectCommand(address))
    expect(await answer.Body?.transformToString()).toBe('123456789')
  })

  test.each(checks)('%s arrives as the trailer of a stream', async (ChecksumAlgorithm, value) => {
    const Body = Readable.from([Buffer.from('1234'), Buffer.from('56789')])
    const seen = changeSent(testBucket.connect(), () => {})
    const answer = await put(seen.client, { Body, ContentLength: 9, ChecksumAlgorithm })
    expect(answer).toMatchObject({
      [`Checksum${ChecksumAlgorithm}`]: value,
      ETag: '"25f9e794323b453885f5181f1b624d0b"',
    })
    expect(seen.headers()['x-amz-content-sha256']).toBe('STREAMING-UNSIGNED-PAYLOAD-TRAILER')
    const stored = await testBucket.client.send(new HeadObjectCommand({ Bucket: testBucket.bucket, Key: 'sum' }))
    expect(stored.ContentLength).toBe(9)
    expect(stored.ContentEncoding).toBeUndefined()
  })

  test.each(Object.keys(sums))('a wrong %s is BadDigest, and nothing is stored', async (name) => {
    const short =
      name === 'SHA1' ? { ChecksumSHA1: createHash('sha1').digest('base64') } : { [`Checksum${name}`]: 'AAAAAA==' }
    await expect(put(testBucket.client, { Key: 'never', ...short })).rejects.toMatchObject({
      name: 'BadDigest',
      $metadata: { httpStatusCode: 400 },
    })
    await expect(
      testBucket.client.send(new HeadObjectCommand({ Bucket: testBucket.bucket, Key: 'never' })),
    ).rejects.toMatchObject({ name: 'NotFound' })
  })

  test('rejects a malformed checksum', async () => {
    await expect(put(testBucket.client, { ChecksumCRC32: 'AAAA' })).rejects.toMatchObject({ name: 'InvalidRequest' })
  })

  test.skipIf(onAws)('rejects crc64nvme by name', async () => {
    await expect(put(testBucket.client, { ChecksumCRC64NVME: 'AAAAAAAAAAA=' })).rejects.toMatchObject({
      name: 'NotImplemented',
    })
  })
})

describe('what the request says about its body', () => {
  test('enforces Content-MD5', async () => {
    const ContentMD5 = createHash('md5').update('123456789').digest('base64')
    await put(testBucket.client, { ContentMD5 })
    await expect(put(testBucket.client, { ContentMD5, Body: 'other' })).rejects.toMatchObject({ name: 'BadDigest' })
    await expect(put(testBucket.client, { ContentMD5: 'short' })).rejects.toMatchObject({ name: 'InvalidDigest' })
  })

  test('rejects a body other than the signed one', async () => {
    const { client } = changeSent(testBucket.connect({ requestChecksumCalculation: 'WHEN_REQUIRED' }), (request) => {
      request.body = '987654321'
    })
    await expect(put(client)).rejects.toMatchObject({ name: 'XAmzContentSHA256Mismatch' })
  })

  test('rejects a header changed in transit', async () => {
    const { client } = changeSent(testBucket.connect(), ({ headers }) => {
      headers['content-type'] = 'text/html'
    })
    await expect(put(client, { ContentType: 'text/plain' })).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
  })

  test('rejects an x-amz- header added in transit', async () => {
    const { client } = changeSent(testBucket.connect(), ({ headers }) => {
      headers['x-amz-meta-added'] = 'later'
    })
    await expect(put(client)).rejects.toMatchObject({ name: 'AccessDenied' })
  })

  test('rejects a path other than the signed one', async () => {
    const { client } = changeSent(testBucket.connect(), (request) => {
      request.path = request.path.replace(/sum$/, 'other')
    })
    await expect(put(client)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
  })
})

describe.skipIf(onAws)('who signs, and when', () => {
  test('distinguishes a wrong secret from an unknown key', async () => {
    const { buckets } = await startEngine()
    const readWith = (keys: { accessKeyId: string; secretAccessKey: string }) =>
      connectTo(buckets, { credentials: keys }).send(new GetObjectCommand({ Bucket: 'bucket', Key: 'x' }))
    await expect(readWith({ accessKeyId: 'LOCALKEY', secretAccessKey: 'guess' })).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    })
    await expect(readWith({ accessKeyId: 'STRANGER', secretAccessKey: 'local-secret' })).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    })
    await buckets.close()
  })

  test('accepts several keys', async () => {
    const { buckets } = await startEngine({ credentials: (id) => (id === 'SECOND' ? 'second-secret' : undefined) })
    buckets.create('bucket')
    const client = connectTo(buckets, { credentials: { accessKeyId: 'SECOND', secretAccessKey: 'second-secret' } })
    await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body: 'x' }))
    expect(buckets.list('bucket').map(({ key }) => key)).toEqual(['k'])
    await buckets.close()
  })

  test('rejects a request with a skewed clock, and the SDK corrects its clock', async () => {
    const { buckets, pass } = await startEngine()
    buckets.create('bucket')
    pass(3_600_000)
    const request = { Bucket: 'bucket', Key: 'late', Body: 'x' }
    const single = connectTo(buckets, { maxAttempts: 1 })
    await expect(single.send(new PutObjectCommand(request))).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' })
    const client = connectTo(buckets)
    const { $metadata } = await client.send(new PutObjectCommand(request))
    expect($metadata.attempts).toBe(2)
    await buckets.close()
  })

  test('rejects a request without a signature', async () => {
    const { buckets } = await startEngine()
    const response = await fetch(`${buckets.url}/bucket/key`)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('<Code>AccessDenied</Code>')
    await buckets.close()
  })
})
