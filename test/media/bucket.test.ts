import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startMediaHost } from '../../infra/local/media-host.ts'
import { credentials, startEngine } from '../../infra/local/test/engines/buckets/start.ts'
import { hasChanged, headObject, readObject, readRange, removeObject } from '../../shared/aws/bucket.ts'
import { copyFile, type FileCopy } from '../../shared/aws/copy-file.ts'
import { presignUpload } from '../../shared/aws/presign.ts'
import { type Context, makeContext } from '../../shared/context.ts'

const storageKey = 'media/uploads/ws_1/med_1.png'
const bounds = { storageKey, mimeType: 'image/png', fileSize: 5, expiresSeconds: 900 }

const partBytes = 5 * 1024 * 1024

async function start() {
  const { buckets, pass } = await startEngine()
  buckets.create('media')
  const host = await startMediaHost({ buckets, bucket: 'media' })
  vi.stubEnv('AWS_ENDPOINT_URL_S3', buckets.url)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await Promise.all([host.close(), buckets.close()])
  })
  const effects: string[] = []
  const ctx = makeContext(
    { MEDIA_BUCKET: 'media', BUCKET_URL: host.url },
    {
      observe: (effect, run) => {
        effects.push(`${effect.service} ${effect.action} ${effect.resource}`)
        return run()
      },
    },
  )
  return { ctx, buckets, pass, effects }
}

const upload = (url: string, body: string, type = 'image/png') =>
  fetch(url, { method: 'PUT', body, headers: { 'Content-Type': type } }).then(({ status }) => status)

test('uploads a file by its URL, and reads it whole, in part, and not at all', async () => {
  const { ctx, effects } = await start()
  expect(await headObject(ctx, storageKey)).toBeUndefined()
  expect(await upload(await presignUpload(ctx, bounds), 'bytes')).toBe(200)
  expect(await headObject(ctx, storageKey)).toEqual({ fileSize: 5, etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) })
  expect(Buffer.from(await readObject(ctx, storageKey)).toString()).toBe('bytes')
  expect(Buffer.from(await readRange(ctx, storageKey, { from: 1, to: 2 })).toString()).toBe('yt')
  expect(Buffer.from(await readRange(ctx, storageKey, { from: 3, to: 900 })).toString()).toBe('es')
  await removeObject(ctx, storageKey)
  await removeObject(ctx, storageKey)
  expect(await headObject(ctx, storageKey)).toBeUndefined()
  await expect(readObject(ctx, storageKey)).rejects.toThrow('key')
  const actions = ['HeadObject', 'PutObject', 'HeadObject', 'GetObject', 'GetObject', 'GetObject', 'DeleteObject']
  const all = [...actions, 'DeleteObject', 'HeadObject', 'GetObject']
  expect(effects).toEqual(all.map((action) => `s3 ${action} media`))
})

test('an upload URL accepts its key, type, and length only', async () => {
  const { ctx, buckets } = await start()
  const url = await presignUpload(ctx, bounds)
  expect(await upload(url, 'bytes', 'text/html')).toBe(403)
  expect(await upload(url, 'bytes!')).toBe(403)
  expect(await upload(url, 'byte')).toBe(403)
  expect(await upload(url, '')).toBe(403)
  expect(await upload(url.replace('med_1', 'med_2'), 'bytes')).toBe(403)
  expect((await fetch(url)).status).toBe(403)
  expect(buckets.list('media')).toEqual([])
  expect(await upload(url, 'bytes')).toBe(200)
})

test('an upload URL expires', async () => {
  const { ctx, buckets, pass } = await start()
  const url = await presignUpload(ctx, bounds)
  pass(902_000)
  expect(await upload(url, 'bytes')).toBe(403)
  expect(buckets.list('media')).toEqual([])
  pass(-12_000)
  expect(await upload(url, 'bytes')).toBe(200)
})

/** A file that has arrived, and how it is taken. */
const arrived = async (ctx: Context, bytes: number): Promise<FileCopy> => {
  const from = 'incoming/ws_1/med_1.mp4'
  const client = new S3Client({ forcePathStyle: true })
  const Body = Buffer.alloc(bytes, 'moving pictures')
  await client.send(new PutObjectCommand({ Bucket: 'media', Key: from, Body, ContentType: 'text/html' }))
  client.destroy()
  const { etag = '' } = (await headObject(ctx, from)) ?? {}
  return { from, etag, to: 'media/uploads/ws_1/med_1.mp4', fileSize: bytes, mimeType: 'video/mp4' }
}

test.each([
  ['whole', 2000, ['CopyObject']],
  [
    'in parts',
    2 * partBytes + 1,
    ['CreateMultipartUpload', 'UploadPartCopy', 'UploadPartCopy', 'UploadPartCopy', 'CompleteMultipartUpload'],
  ],
])('copies a file %s with our metadata only', async (_how, bytes, actions) => {
  const { ctx, buckets, effects } = await start()
  const copy = await arrived(ctx, bytes)
  effects.length = 0
  await copyFile(ctx, copy, partBytes)
  expect(effects).toEqual(actions.map((action) => `s3 ${action} media`))
  const [from, to] = [await readObject(ctx, copy.from), await readObject(ctx, copy.to)]
  expect(Buffer.from(to).equals(from)).toBe(true)
  expect(buckets.find('media', copy.to)?.headers).toEqual({
    'content-type': 'video/mp4',
    'content-disposition': 'inline',
    'cache-control': 'public, max-age=86400, immutable',
  })
})

test.each([
  ['whole', 2000],
  ['in parts', 2 * partBytes],
])('copying %s fails for a changed file and for an existing target', async (_how, bytes) => {
  const { ctx, buckets, effects } = await start()
  const copy = await arrived(ctx, bytes)
  const failure = (file: FileCopy) => copyFile(ctx, file, partBytes).catch((error: unknown) => error)
  expect(hasChanged(await failure({ ...copy, etag: '"0123456789abcdef0123456789abcdef"' }))).toBe(true)
  expect(buckets.find('media', copy.to)).toBeUndefined()
  await copyFile(ctx, copy, partBytes)
  const before = buckets.find('media', copy.to)
  expect(hasChanged(await failure(copy))).toBe(true)
  expect(buckets.find('media', copy.to)).toBe(before)
  const count = (action: string) => effects.filter((effect) => effect.includes(action)).length
  expect(count('AbortMultipartUpload')).toBe(count('CreateMultipartUpload') === 0 ? 0 : 2)
})
