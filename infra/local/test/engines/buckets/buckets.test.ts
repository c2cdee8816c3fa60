import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  NotFound,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { CorsRule } from '../../../template/stores.ts'
import { onAws, startEngine, startTestBucket, type TestBucket } from './start.ts'

let testBucket: TestBucket
beforeAll(async () => {
  testBucket = await startTestBucket()
})
afterAll(() => testBucket.close())

test('creates, finds, and deletes a bucket', async () => {
  const Bucket = `${testBucket.bucket}-2`
  await testBucket.client.send(new CreateBucketCommand({ Bucket }))
  await testBucket.client.send(new HeadBucketCommand({ Bucket }))
  await testBucket.client.send(new DeleteBucketCommand({ Bucket }))
  await expect(testBucket.client.send(new HeadBucketCommand({ Bucket }))).rejects.toBeInstanceOf(NotFound)
})

test('does not delete a bucket with objects', async () => {
  const address = { Bucket: testBucket.bucket, Key: 'stays' }
  await testBucket.client.send(new PutObjectCommand({ ...address, Body: 'x' }))
  await expect(testBucket.client.send(new DeleteBucketCommand({ Bucket: testBucket.bucket }))).rejects.toMatchObject({
    name: 'BucketNotEmpty',
  })
  await testBucket.client.send(new DeleteObjectCommand(address))
})

// In us-east-1 AWS accepts that from the owner.
test.skipIf(onAws)('rejects a bucket that exists and an invalid name', async () => {
  const make = (Bucket: string) => testBucket.client.send(new CreateBucketCommand({ Bucket }))
  await expect(make(testBucket.bucket)).rejects.toBeInstanceOf(BucketAlreadyOwnedByYou)
  await expect(make('Capital')).rejects.toMatchObject({ name: 'InvalidBucketName' })
})

const rule: CorsRule = {
  origins: ['https://*.example.com'],
  methods: ['PUT', 'GET'],
  headers: ['content-*'],
  exposed: ['ETag'],
  maxAgeSeconds: 300,
}

/** The address of an object in a bucket with these rules. */
async function objectIn(cors: CorsRule[]): Promise<string> {
  const { buckets } = await startEngine()
  onTestFinished(() => buckets.close())
  buckets.create('bucket', cors)
  return `${buckets.url}/bucket/key`
}

function preflight(url: string, origin: string, method: string, headers?: string) {
  return fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      ...(headers !== undefined && { 'access-control-request-headers': headers }),
    },
  })
}

test('a browser of an allowed origin can upload, any other cannot', async () => {
  expect((await preflight(await objectIn([]), 'https://app.example.com', 'PUT')).status).toBe(403)
  const url = await objectIn([rule])
  const allowed = await preflight(url, 'https://app.example.com', 'PUT', 'Content-Type, content-length')
  expect(allowed.status).toBe(200)
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example.com',
    'access-control-allow-methods': 'PUT, GET',
    'access-control-allow-headers': 'content-type, content-length',
    'access-control-max-age': '300',
    'access-control-expose-headers': 'ETag',
  })
  expect((await preflight(url, 'https://example.org', 'PUT')).status).toBe(403)
  expect((await preflight(url, 'https://app.example.com', 'DELETE')).status).toBe(403)
  expect((await preflight(url, 'https://app.example.com', 'PUT', 'authorization')).status).toBe(403)
})

test('every response, errors included, carries the CORS headers for the browser', async () => {
  const url = await objectIn([rule])
  const request = (origin: string) => fetch(url, { headers: { origin } })
  const answer = await request('https://app.example.com')
  expect(answer.status).toBe(403)
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  expect((await request('https://example.org')).headers.get('access-control-allow-origin')).toBeNull()
})
