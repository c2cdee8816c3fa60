import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Buckets } from '../../../engines/buckets.ts'
import { mediaListener, startMediaHost } from '../../../media-host.ts'
import { type Listener, listen } from '../../../pages/server.ts'
import { connectTo, startEngine } from './start.ts'

let buckets: Buckets
let host: Listener
beforeAll(async () => {
  buckets = (await startEngine()).buckets
  buckets.create('bucket', [{ origins: ['*'], methods: ['PUT'], headers: ['*'], exposed: ['ETag'] }])
  host = await startMediaHost({ buckets, bucket: 'bucket' })
  const client = connectTo(buckets)
  const put = (Key: string, ContentType: string) => {
    const metadata = { ContentType, ContentDisposition: 'inline', CacheControl: 'max-age=9', Metadata: { width: '8' } }
    return client.send(new PutObjectCommand({ Bucket: 'bucket', Key, Body: '0123456789', ...metadata }))
  }
  await put('media/a b.png', 'image/png')
  await put('media/page', 'text/html')
  await put('incoming/secret', 'image/png')
})
afterAll(async () => {
  await host.close()
  await buckets.close()
})

test('serves an image with its type, and blocks scripts in it', async () => {
  const answer = await fetch(`${host.url}/media/a%20b.png`)
  expect(await answer.text()).toBe('0123456789')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': '10',
    'content-disposition': 'inline',
    'cache-control': 'max-age=9',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(answer.headers.has('x-amz-meta-width')).toBe(false)
})

test('HEAD, ranges, and ETags work as players need them', async () => {
  const url = `${host.url}/media/a%20b.png`
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
  const part = await fetch(url, { headers: { range: 'bytes=-3' } })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 7-9/10', '789'])
  expect((await fetch(url, { headers: { range: 'bytes=10-' } })).status).toBe(416)
  const known = await fetch(url, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })
  expect(known.status).toBe(304)
})

test.each([
  ['GET', '/incoming/secret'],
  ['GET', '/media/../incoming/secret'],
  ['GET', '/media/%2e%2e%2fincoming/secret'],
  ['GET', '/media/missing'],
  ['GET', '/media/%zz'],
  ['GET', '/'],
  ['PUT', '/media/a%20b.png'],
  ['DELETE', '/media/page'],
  ['POST', '/'],
])('%s %s is 404', async (method, path) => {
  expect((await fetch(host.url + path, { method })).status).toBe(404)
})

const origin = 'https://files.bakery.test'

/** A host behind a proxy that replaces the name of it. */
const startBehindProxy = async () => {
  const listener = await listen(0)
  listener.onRequest(mediaListener({ buckets, bucket: 'bucket', origin }))
  onTestFinished(() => listener.close())
  return listener.url
}

test('it takes what is presigned for its public name, and nothing else', async () => {
  const url = await startBehindProxy()
  const client = connectTo(buckets, {
    bucketEndpoint: true,
    forcePathStyle: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const file = { Bucket: origin, Key: 'incoming/new file.png', ContentType: 'image/png', ContentLength: 5 }
  const signableHeaders = new Set(['host', 'content-type', 'content-length'])
  const signed = await getSignedUrl(client, new PutObjectCommand(file), { signableHeaders })
  const local = signed.replace(origin, url)
  const put = (address: string, type = 'image/png') =>
    fetch(address, { method: 'PUT', body: 'bytes', headers: { 'content-type': type, origin: 'https://other.test' } })

  expect((await put(local, 'text/html')).status).toBe(403)
  expect((await put(local.replace('new', 'old'))).status).toBe(403)
  expect((await put(local.replace('incoming/', 'bucket/incoming/'))).status).toBe(403)
  expect((await put(local.split('?')[0] ?? '')).status).toBe(404)
  expect((await fetch(local)).status).toBe(403)
  expect((await fetch(local, { method: 'DELETE' })).status).toBe(403)
  expect((await put(local)).status).toBe(200)
  expect(String(await buckets.read('bucket', 'incoming/new file.png'))).toBe('bytes')

  const request = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' }
  const preflight = await fetch(local, { method: 'OPTIONS', headers: { ...request, origin: 'https://other.test' } })
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([200, 'PUT'])

  const read = new GetObjectCommand({ Bucket: origin, Key: 'incoming/new file.png' })
  const answer = await fetch((await getSignedUrl(client, read)).replace(origin, url))
  expect([answer.status, await answer.text()]).toEqual([200, 'bytes'])
})
