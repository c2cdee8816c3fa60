import { createHash } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBucket, type TestBucket } from './start.ts'

let testBucket: TestBucket
beforeAll(async () => {
  testBucket = await startTestBucket()
})
afterAll(() => testBucket.close())

const md5Of = (...pieces: Buffer[]) => createHash('md5').update(Buffer.concat(pieces)).digest()
const fiveMiB = Buffer.alloc(5 * 1024 * 1024, 'a')

async function begin(Key: string, more = {}) {
  const Bucket = testBucket.bucket
  const { UploadId } = await testBucket.client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: 'CRC32', ...more }),
  )
  const address = { Bucket, Key, UploadId }
  return {
    address,
    async part(PartNumber: number, Body: Uint8Array) {
      const { ETag, ChecksumCRC32 } = await testBucket.client.send(
        new UploadPartCommand({ ...address, PartNumber, Body }),
      )
      return { PartNumber, ETag, ChecksumCRC32 }
    },
    complete: (Parts: Array<{ PartNumber: number; ETag: string | undefined }>, conditions = {}) =>
      testBucket.client.send(
        new CompleteMultipartUploadCommand({ ...address, MultipartUpload: { Parts }, ...conditions }),
      ),
  }
}

test('parts become one object, with an ETag that counts them', async () => {
  const upload = await begin('whole', { ContentType: 'video/mp4', Metadata: { a: '1' } })
  // Sent out of order; the numbers decide.
  const second = await upload.part(7, Buffer.from('tail'))
  const first = await upload.part(2, fiveMiB)
  const answer = await upload.complete([first, second])
  expect(answer).toMatchObject({
    Bucket: testBucket.bucket,
    Key: 'whole',
    ETag: `"${md5Of(md5Of(fiveMiB), md5Of(Buffer.from('tail'))).toString('hex')}-2"`,
  })
  const object = await testBucket.client.send(new GetObjectCommand({ Bucket: testBucket.bucket, Key: 'whole' }))
  expect(object).toMatchObject({ ContentType: 'video/mp4', Metadata: { a: '1' }, ContentLength: fiveMiB.length + 4 })
  const bytes = Buffer.from((await object.Body?.transformToByteArray()) ?? [])
  expect(bytes.equals(Buffer.concat([fiveMiB, Buffer.from('tail')]))).toBe(true)
  const address = { Bucket: testBucket.bucket, Key: 'whole' }
  const head = await testBucket.client.send(new HeadObjectCommand({ ...address, ChecksumMode: 'ENABLED' }))
  expect(head).toMatchObject({ ChecksumType: 'COMPOSITE', ChecksumCRC32: expect.stringMatching(/^.{8}-2$/) })
})

test('a part that is sent again replaces the earlier one', async () => {
  const upload = await begin('repeated')
  const earlier = await upload.part(1, Buffer.from('earlier'))
  const later = await upload.part(1, Buffer.from('later'))
  await expect(upload.complete([earlier])).rejects.toMatchObject({ name: 'InvalidPart' })
  await upload.complete([later])
  const object = await testBucket.client.send(new GetObjectCommand({ Bucket: testBucket.bucket, Key: 'repeated' }))
  expect(await object.Body?.transformToString()).toBe('later')
})

test('rejects by name an upload that cannot be completed', async () => {
  const upload = await begin('faulty')
  const one = await upload.part(1, Buffer.from('too small'))
  const two = await upload.part(2, Buffer.from('last'))
  await expect(upload.complete([one, two])).rejects.toMatchObject({ name: 'EntityTooSmall' })
  await expect(upload.complete([two, one])).rejects.toMatchObject({ name: 'InvalidPartOrder' })
  await expect(upload.complete([{ PartNumber: 3, ETag: '"x"' }])).rejects.toMatchObject({ name: 'InvalidPart' })
  await expect(upload.complete([{ PartNumber: 1, ETag: '"x"' }])).rejects.toMatchObject({ name: 'InvalidPart' })
  await upload.complete([two])
  await expect(upload.part(1, Buffer.from('late'))).rejects.toMatchObject({ name: 'NoSuchUpload' })
})

test('an aborted upload leaves nothing', async () => {
  const upload = await begin('aborted')
  const part = await upload.part(1, Buffer.from('x'))
  await testBucket.client.send(new AbortMultipartUploadCommand(upload.address))
  await expect(upload.complete([part])).rejects.toMatchObject({ name: 'NoSuchUpload' })
})

test('a completion can be conditional', async () => {
  const earlier = await begin('conditional')
  await earlier.complete([await earlier.part(1, Buffer.from('first'))])
  const later = await begin('conditional')
  const part = await later.part(1, Buffer.from('second'))
  await expect(later.complete([part], { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' })
})

test('a part can be sent with a presigned URL', async () => {
  const { address, complete } = await begin('presigned')
  const client = testBucket.connect({ requestChecksumCalculation: 'WHEN_REQUIRED' })
  const url = await getSignedUrl(client, new UploadPartCommand({ ...address, PartNumber: 1 }))
  const answer = await fetch(url, { method: 'PUT', body: 'by browser' })
  await complete([{ PartNumber: 1, ETag: answer.headers.get('etag') ?? '' }])
  const stored = await testBucket.client.send(new GetObjectCommand({ Bucket: testBucket.bucket, Key: 'presigned' }))
  expect(await stored.Body?.transformToString()).toBe('by browser')
})

test('a part can be copied from a range of another object, but not beyond its end', async () => {
  const { client, bucket: Bucket } = testBucket
  const source = await client.send(new PutObjectCommand({ Bucket, Key: 'source', Body: 'abcdefgh' }))
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'copied' }))
  const address = { Bucket, Key: 'copied', UploadId, PartNumber: 1, CopySource: `${Bucket}/source` }
  const copy = (more: object) => client.send(new UploadPartCopyCommand({ ...address, ...more }))
  await expect(copy({ CopySourceRange: 'bytes=2-8' })).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  const changed = { CopySourceIfMatch: '"0123456789abcdef0123456789abcdef"' }
  await expect(copy(changed)).rejects.toMatchObject({ name: 'PreconditionFailed' })
  const { CopyPartResult } = await copy({ CopySourceRange: 'bytes=2-4', CopySourceIfMatch: source.ETag })
  expect(CopyPartResult?.ETag).toBe(`"${md5Of(Buffer.from('cde')).toString('hex')}"`)
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: CopyPartResult?.ETag }] }
  const { PartNumber: _, CopySource: __, ...upload } = address
  await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }))
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'copied' }))
  expect(await Body?.transformToString()).toBe('cde')
})
