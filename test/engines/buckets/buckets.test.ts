import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  NotFound,
  PutBucketCorsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formAddress } from './sign-form.ts'
import { onAws, type Place, startPlace } from './start.ts'

let place: Place
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.close())

test('creates, finds, lists, and deletes a bucket', async () => {
  const Bucket = `${place.bucket}-2`
  await place.client.send(new CreateBucketCommand({ Bucket }))
  await place.client.send(new HeadBucketCommand({ Bucket }))
  const { Buckets } = await place.client.send(new ListBucketsCommand({}))
  expect(Buckets?.map(({ Name }) => Name)).toEqual(expect.arrayContaining([place.bucket, Bucket]))
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

const rule = {
  AllowedOrigins: ['https://*.example.com'],
  AllowedMethods: ['PUT', 'GET'],
  AllowedHeaders: ['content-*'],
  ExposeHeaders: ['ETag'],
  MaxAgeSeconds: 300,
}

async function preflight(origin: string, method: string, headers?: string) {
  return fetch(`${await formAddress(place.client, place.bucket)}/key`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      ...(headers !== undefined && { 'access-control-request-headers': headers }),
    },
  })
}

test('a browser of an allowed origin can upload, any other cannot', async () => {
  const address = { Bucket: place.bucket }
  await expect(place.client.send(new GetBucketCorsCommand(address))).rejects.toMatchObject({
    name: 'NoSuchCORSConfiguration',
  })
  expect((await preflight('https://app.example.com', 'PUT')).status).toBe(403)
  await place.client.send(new PutBucketCorsCommand({ ...address, CORSConfiguration: { CORSRules: [rule] } }))
  expect((await place.client.send(new GetBucketCorsCommand(address))).CORSRules).toEqual([rule])

  const allowed = await preflight('https://app.example.com', 'PUT', 'Content-Type, content-length')
  expect(allowed.status).toBe(200)
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example.com',
    'access-control-allow-methods': 'PUT, GET',
    'access-control-allow-headers': 'content-type, content-length',
    'access-control-max-age': '300',
    'access-control-expose-headers': 'ETag',
  })
  expect((await preflight('https://example.org', 'PUT')).status).toBe(403)
  expect((await preflight('https://app.example.com', 'DELETE')).status).toBe(403)
  expect((await preflight('https://app.example.com', 'PUT', 'authorization')).status).toBe(403)
})

test('every response, errors included, tells the browser whether its page can read it', async () => {
  const address = { Bucket: place.bucket }
  await place.client.send(new PutBucketCorsCommand({ ...address, CORSConfiguration: { CORSRules: [rule] } }))
  const ask = async (origin: string) =>
    fetch(`${await formAddress(place.client, place.bucket)}/key`, { headers: { origin } })
  const answer = await ask('https://app.example.com')
  expect(answer.status).toBe(403)
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  expect((await ask('https://example.org')).headers.get('access-control-allow-origin')).toBeNull()
})
