import { expect, onTestFinished, test, vi } from 'vitest'
import { headObject, readObject, readRange, removeObject } from '../../shared/aws/bucket.ts'
import { presignUpload } from '../../shared/aws/upload-address.ts'
import { makeContext } from '../../shared/context.ts'
import { credentials, startEngine } from '../engines/buckets/start.ts'

const storageKey = 'media/uploads/ws_1/med_1.png'
const bounds = { storageKey, mimeType: 'image/png', fileSize: 5, expiresSeconds: 900 }

async function start() {
  const { buckets, pass } = await startEngine()
  buckets.create('media')
  vi.stubEnv('AWS_ENDPOINT_URL_S3', buckets.url)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await buckets.close()
  })
  const effects: string[] = []
  const ctx = makeContext(
    { MEDIA_BUCKET: 'media' },
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

test('a file goes up by its address and is read whole, in part and not at all', async () => {
  const { ctx, effects } = await start()
  expect(await headObject(ctx, storageKey)).toBeUndefined()
  expect(await upload(await presignUpload(ctx, bounds), 'bytes')).toBe(200)
  expect(await headObject(ctx, storageKey)).toEqual({ fileSize: 5 })
  expect(Buffer.from(await readObject(ctx, storageKey)).toString()).toBe('bytes')
  expect(Buffer.from(await readRange(ctx, storageKey, 1, 2)).toString()).toBe('yt')
  expect(Buffer.from(await readRange(ctx, storageKey, 3, 900)).toString()).toBe('es')
  await removeObject(ctx, storageKey)
  await removeObject(ctx, storageKey)
  expect(await headObject(ctx, storageKey)).toBeUndefined()
  await expect(readObject(ctx, storageKey)).rejects.toThrow('key')
  const actions = ['HeadObject', 'PutObject', 'HeadObject', 'GetObject', 'GetObject', 'GetObject', 'DeleteObject']
  const all = [...actions, 'DeleteObject', 'HeadObject', 'GetObject']
  expect(effects).toEqual(all.map((action) => `s3 ${action} media`))
})

test('an address takes its own key, type and length only', async () => {
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

test('an address ends after its time', async () => {
  const { ctx, buckets, pass } = await start()
  const url = await presignUpload(ctx, bounds)
  pass(902_000)
  expect(await upload(url, 'bytes')).toBe(403)
  expect(buckets.list('media')).toEqual([])
  pass(-12_000)
  expect(await upload(url, 'bytes')).toBe(200)
})
