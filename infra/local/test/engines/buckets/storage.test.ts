import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateMultipartUploadCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BucketEvent } from '../../../engines/buckets/records.ts'
import { connectTo, credentials, startEngine } from './start.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'buckets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const files = () => readdirSync(join(folder, 'buckets'))

test('stored objects and their metadata survive a restart', async () => {
  const first = await startEngine({ folder })
  first.buckets.create('bucket', [{ origins: ['*'], methods: ['PUT'], headers: ['*'], exposed: [] }])
  const put = { Bucket: 'bucket', Key: '../../etc/passwd', Body: 'one', ContentType: 'text/plain' }
  await connectTo(first.buckets).send(new PutObjectCommand(put))
  await connectTo(first.buckets).send(new PutObjectCommand({ ...put, Body: 'two', Metadata: { m: '1' } }))
  const before = first.buckets.list('bucket')
  await first.buckets.close()
  expect(files().filter((name) => name.endsWith('.blob'))).toHaveLength(1)

  const { buckets } = await startEngine({ folder })
  expect(buckets.list('bucket')).toEqual(before)
  expect(before).toMatchObject([{ key: '../../etc/passwd', headers: { 'x-amz-meta-m': '1' } }])
  expect((await buckets.read('bucket', '../../etc/passwd'))?.toString()).toBe('two')
  const origin = { origin: 'http://127.0.0.1', 'access-control-request-method': 'PUT' }
  expect((await fetch(`${buckets.url}/bucket/k`, { method: 'OPTIONS', headers: origin })).status).toBe(200)
  await buckets.close()
})

const child = `
  const { startBuckets } = await import(process.env.ENGINE)
  const { folder, credentials } = JSON.parse(process.env.OPTIONS)
  const buckets = await startBuckets({ clock: { now: () => Date.now() }, folder, credentials })
  buckets.create('bucket')
  console.log(buckets.url)
`

test('a kill loses no acknowledged write and leaves no partial one', async () => {
  const engine = new URL('../../../engines/buckets.ts', import.meta.url).href
  const env = { ...process.env, ENGINE: engine, OPTIONS: JSON.stringify({ folder, credentials }) }
  const running = spawn(process.execPath, ['--input-type=module', '-e', child], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(running.stdout, 'data')
  const client = connectTo({ url: String(line).trim() }, { requestChecksumCalculation: 'WHEN_REQUIRED' })
  await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body: 'answered' }))
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: 'bucket', Key: 'parts' }))
  await client.send(new UploadPartCommand({ Bucket: 'bucket', Key: 'parts', UploadId, PartNumber: 1, Body: 'part' }))

  const url = await getSignedUrl(client, new PutObjectCommand({ Bucket: 'bucket', Key: 'k', ContentLength: 1_000_000 }))
  const half = request(url, { method: 'PUT', headers: { 'content-length': 1_000_000 } }).on('error', () => {})
  half.write(Buffer.alloc(500_000))
  await expect.poll(() => files().some((name) => name.endsWith('.part'))).toBe(true)
  running.kill('SIGKILL')
  await once(running, 'exit')

  const { buckets } = await startEngine({ folder })
  expect((await buckets.read('bucket', 'k'))?.toString()).toBe('answered')
  expect(
    files()
      .map((name) => name.split('.').at(-1))
      .sort(),
  ).toEqual(['blob', 'blob', 'json', 'json', 'json'])
  await buckets.close()
})

test('a read in progress completes after its object is replaced', async () => {
  const { buckets } = await startEngine({ folder })
  buckets.create('bucket')
  const client = connectTo(buckets)
  await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body: 'old' }))
  const [object] = buckets.list('bucket')
  const reading = object && buckets.stream(object, 0, 2)
  await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body: 'new' }))
  expect(await reading?.toArray()).toEqual([Buffer.from('old')])
  await buckets.close()
})

test('a rejected upload leaves no bytes behind', async () => {
  const { buckets } = await startEngine({ folder })
  buckets.create('bucket')
  const put = new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body: 'bytes', ChecksumCRC32: 'AAAAAA==' })
  await expect(connectTo(buckets).send(put)).rejects.toMatchObject({ name: 'BadDigest' })
  expect(files()).toEqual(['bucket.bucket.json'])
  await buckets.close()
})

test('every change emits a notification with the time of the clock', async () => {
  const events: BucketEvent[] = []
  const { buckets } = await startEngine({ clock: { now: () => Date.UTC(2030, 0, 1) }, onChange: (e) => events.push(e) })
  buckets.create('bucket')
  const client = connectTo(buckets, { systemClockOffset: Date.UTC(2030, 0, 1) - Date.now() })
  await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body: 'x' }))
  const etag = '9dd4e461268c8034f5c8564e155c67a6'
  expect(events).toEqual([{ kind: 'created', bucket: 'bucket', key: 'k', size: 1, etag, at: Date.UTC(2030, 0, 1) }])
  await buckets.close()
})
