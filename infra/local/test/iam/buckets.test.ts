import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../../../../test/support/start.ts'
import { formAddress, signForm } from '../engines/buckets/sign-form.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start({ mayBeDenied: true })
})
afterAll(() => kit.close())

const as = (functionName: string) =>
  new S3Client({
    credentials: kit.service.authority.credentialsOf(`social-local-${functionName}`),
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
const Bucket = () => kit.ctx.env('MEDIA_BUCKET')
const denied = (action: string, resource: string) => ({
  name: 'AccessDenied',
  message: expect.stringMatching(
    `is not authorized to perform: s3:${action} on resource: "arn:aws:s3:::.*${resource}"`,
  ),
  $metadata: { httpStatusCode: 403 },
})

test('an object that is missing is missing only to those who may list the bucket', async () => {
  const Key = 'media/nothing'
  const [reader, other] = [as('media-complete'), as('media-create-upload-url')]
  const head = new HeadObjectCommand({ Bucket: Bucket(), Key })
  const get = new GetObjectCommand({ Bucket: Bucket(), Key })
  await expect(reader.send(head)).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } })
  await expect(reader.send(get)).rejects.toMatchObject({ name: 'NoSuchKey' })
  await expect(other.send(head)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
  await expect(other.send(get)).rejects.toMatchObject(denied('GetObject', Key))
})

test('a presigned address does what its signer may do when it is used', async () => {
  const [uploader, reader] = [as('media-create-upload-url'), as('media-list')]
  const put = new PutObjectCommand({ Bucket: Bucket(), Key: 'incoming/ws/a.txt' })
  const send = async (client: S3Client) => fetch(await getSignedUrl(client, put), { method: 'PUT', body: 'a' })
  expect((await send(uploader)).status).toBe(200)
  const answer = await send(reader)
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')])
})

test('a form does what its signer may do', async () => {
  const post = async (functionName: string) => {
    const client = as(functionName)
    const conditions = [['starts-with', '$key', 'incoming/']]
    const fields = await signForm(client, Bucket(), { conditions, expiresAt: new Date(Date.now() + 600_000) })
    const form = new FormData()
    for (const [field, value] of Object.entries({ key: 'incoming/ws/c.txt', ...fields })) form.append(field, value)
    form.append('file', new Blob(['c']), 'c.txt')
    return (await fetch(await formAddress(client, Bucket()), { method: 'POST', body: form })).status
  }
  expect([await post('media-create-upload-url'), await post('media-list')]).toEqual([204, 403])
})

test('a copy takes the rights to read and to write, and a batch of deletions that of each key', async () => {
  const admin = new S3Client({})
  await admin.send(new PutObjectCommand({ Bucket: Bucket(), Key: 'incoming/ws/b.txt', Body: 'b' }))
  await admin.send(new PutObjectCommand({ Bucket: Bucket(), Key: 'other/b.txt', Body: 'b' }))
  const [copier, purger] = [as('media-complete'), as('purge')]
  const copy = (from: string, Key: string) =>
    copier.send(new CopyObjectCommand({ Bucket: Bucket(), Key, CopySource: `${Bucket()}/${from}` }))
  await copy('incoming/ws/b.txt', 'media/b.txt')
  await expect(copy('other/b.txt', 'media/c.txt')).rejects.toMatchObject(denied('GetObject', 'other/b.txt'))
  await expect(copy('incoming/ws/b.txt', 'other/c.txt')).rejects.toMatchObject(denied('PutObject', 'other/c.txt'))
  const Objects = ['media/b.txt', 'other/b.txt'].map((Key) => ({ Key }))
  const answer = await purger.send(new DeleteObjectsCommand({ Bucket: Bucket(), Delete: { Objects } }))
  expect([answer.Deleted, answer.Errors]).toEqual([
    [{ Key: 'media/b.txt' }],
    [expect.objectContaining({ Key: 'other/b.txt', Code: 'AccessDenied' })],
  ])
})
