import { PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Buckets } from '../../../engines/buckets.ts'
import type { Engine } from '../../../engines/engine.ts'
import { startMediaHost } from '../../../media-host.ts'
import { connectTo, startEngine } from './start.ts'

let buckets: Buckets
let host: Engine
beforeAll(async () => {
  buckets = (await startEngine()).buckets
  buckets.create('bucket')
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
  ['OPTIONS', '/media/page'],
])('%s %s is 404', async (method, path) => {
  expect((await fetch(host.url + path, { method })).status).toBe(404)
})
