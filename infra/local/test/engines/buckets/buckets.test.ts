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
import { onAws, type Place, startEngine, startPlace } from './start.ts'

let place: Place
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.close())

test('creates, finds, and deletes a bucket', async () => {
  const Bucket = `${place.bucket}-2`
  await place.client.send(new CreateBucketCommand({ Bucket }))
  await place.client.send(new HeadBucketCommand({ Bucket }))
  await place.client.send(new DeleteBucketCommand({ Bucket }))
  await expect(place.client.send(new HeadBucketCommand({ Bucket }))).rejects.toBeInstanceOf(NotFound)
})

test('does not delete a bucket with objects', async () => {
  const address = { Bucket: place.bucket, Key: 'stays' }
  await place.client.send(new PutObjectCommand({ ...address, Body: 'x' }))
  await expect(place.client.send(new DeleteBucketCommand({ Bucket: place.bucket }))).rejects.toMatchObject({
    name: 'BucketNotEmpty',
  })
  await place.client.send(new DeleteObjectCommand(address))
})

// In us-east-1 AWS says yes to the owner instead.
test.skipIf(onAws)('rejects a bucket that exists and an invalid name', async () => {
  const make = (Bucket: string) => place.client.send(new CreateBucketCommand({ Bucket }))
  await expect(make(place.bucket)).rejects.toBeInstanceOf(BucketAlreadyOwnedByYou)
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

test('every response, errors included, tells the browser whether its page can read it', async () => {
  const url = await objectIn([rule])
  const ask = (origin: string) => fetch(url, { headers: { origin } })
  const answer = await ask('https://app.example.com')
  expect(answer.status).toBe(403)
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  expect((await ask('https://example.org')).headers.get('access-control-allow-origin')).toBeNull()
})
