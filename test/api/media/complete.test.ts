import { expect, test } from 'vitest'
import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
import { clip } from '../../media/clips.ts'
import { gif, jpeg, png, segment, webp } from '../../media/files.ts'
import { serveMedia } from './gallery.ts'

const mediaService = serveMedia()

const image = { bytes: png(30, 20), mimeType: 'image/png' }
const silent = { bytes: clip({ durationMs: 0 }), mimeType: 'video/mp4' }

test.each([
  ['image/png', png(30, 20)],
  ['image/jpeg', jpeg(30, 20)],
  ['image/gif', gif(30, 20)],
  ['image/webp', webp.lossy(30, 20)],
  ['image/webp', webp.lossless(30, 20)],
  ['image/webp', webp.extended(30, 20)],
])('a completed %s has its measured dimensions', async (mimeType, bytes) => {
  const { upload, complete, call } = await mediaService.open()
  const file = { bytes, mimeType }
  const storageKey = await upload(file)
  const { status, body } = await complete(storageKey, file, { width: 1, height: 1, duration: 5, altText: 'A view' })
  const asset = {
    id: storageKey.split(/[/.]/).at(-2),
    originalFilename: 'a file',
    fileSize: bytes.length,
    url: expect.stringMatching(new RegExp(`/${storageKey}$`)),
    previewUrl: expect.stringMatching(new RegExp(`/${storageKey}$`)),
    altText: 'A view',
    width: 30,
    height: 20,
    createdAt: expect.any(String),
    mimeType,
    storageKey,
  }
  expect([status, body.data]).toEqual([201, asset])
  expect((await call('GET', `/${asset.id}`)).body.data).toEqual(asset)
  const shown = await fetch(body.data.url)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, mimeType])
  expect([shown.headers.get('content-disposition'), shown.headers.get('cache-control')]).toEqual([
    'inline',
    'public, max-age=86400, immutable',
  ])
  expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
})

test.each([
  [undefined, undefined],
  [12.5, 12_500],
  [999, 999_000],
  [1000, 1000],
  [12_345.6, 12_346],
])('a declared duration applies to a video without one: %s is %s ms', async (sent, duration) => {
  const { add } = await mediaService.open()
  const { status, body } = await add(silent, { duration: sent })
  expect([status, body.data.duration]).toEqual([201, duration])
})

test('the measured duration of a video overrides a declared one', async () => {
  const { add } = await mediaService.open()
  const video = { bytes: clip({ width: 540, height: 960, durationMs: 4320 }), mimeType: 'video/mp4' }
  const { status, body } = await add(video, { width: 1920, height: 1080, duration: 99 })
  expect([status, body.data]).toMatchObject([201, { width: 540, height: 960, duration: 4320, altText: null }])
})

test('finds the frame header of a JPEG beyond the first read', async () => {
  const { add } = await mediaService.open()
  const profiles = Array.from({ length: 6 }, () => segment(0xe2, Buffer.alloc(60_000)))
  const { body } = await add({ bytes: jpeg(4000, 3000, profiles), mimeType: 'image/jpeg' })
  expect(body.data).toMatchObject({ width: 4000, height: 3000 })
})

test('a second completion returns the same asset, whatever its body, and changes no counter', async () => {
  const { upload, complete, list } = await mediaService.open()
  const storageKey = await upload(image)
  const first = await complete(storageKey, image, { altText: 'first' })
  const second = await complete(storageKey, image, { altText: 'second' })
  expect([second.status, second.body]).toEqual([201, first.body])
  expect(await list()).toMatchObject({ total: 1, items: [{ altText: 'first' }] })
})

test('a second completion costs the authorizing read and the rate counter, and no bucket call', async () => {
  const { upload, complete } = await mediaService.open()
  const storageKey = await upload(image)
  await complete(storageKey, image)
  const actions: string[] = []
  const watcher = <T>({ action }: FunctionEffect, run: () => Promise<T>) => {
    actions.push(action)
    return run()
  }
  await mediaService.watch(watcher, () => complete(storageKey, image))
  expect(actions.sort()).toEqual(['BatchGetItem', 'UpdateItem'])
})

test('twenty concurrent completions create one asset, and all return it', async () => {
  const { upload, complete, list } = await mediaService.open()
  const storageKey = await upload(image)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => complete(storageKey, image, { altText: `${n}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
  const { total, items } = await list()
  expect([total, items.length]).toEqual([1, 1])
  for (const { body } of answers) expect(body.data).toEqual(items[0])
})

test('an Idempotency-Key replays the same response, and rejects another body', async () => {
  const { upload, complete } = await mediaService.open()
  const storageKey = await upload(image)
  const headers = { 'Idempotency-Key': 'complete once' }
  const first = await complete(storageKey, image, {}, headers)
  const replay = await complete(storageKey, image, {}, headers)
  expect([first.status, replay.status, replay.text]).toEqual([201, 201, first.text])
  expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
  expect((await complete(storageKey, image, { altText: 'other' }, headers)).status).toBe(422)
})

test('rejects a completion before the upload, accepts it after', async () => {
  const { requestUploadUrl, complete, lay } = await mediaService.open()
  const { storageKey } = (await requestUploadUrl(image)).body.data
  const early = await complete(storageKey, image)
  expect(early).toMatchObject({ status: 400, body: { code: 'file_not_uploaded', field: 'storageKey' } })
  await lay(storageKey, image.bytes)
  expect((await complete(storageKey, image)).status).toBe(201)
})

test('rejects a wrong size, names both sizes, and keeps the file', async () => {
  const { upload, complete, waits } = await mediaService.open()
  const storageKey = await upload(image)
  const { length } = image.bytes
  for (const fileSize of [length - 1, length + 1]) {
    const { status, body } = await complete(storageKey, image, { fileSize })
    expect([status, body.code, body.field]).toEqual([400, 'media_size', 'fileSize'])
    expect(body.error).toContain(`"fileSize" is ${fileSize}`)
    expect(body.error).toContain(`has ${length} bytes`)
  }
  expect(await waits(storageKey)).toBe(true)
  expect((await complete(storageKey, image)).status).toBe(201)
})

test('returns 404 for the key of another workspace and for an invalid key', async () => {
  const { upload, complete, workspaceId } = await mediaService.open()
  const other = await mediaService.open()
  const foreign = await other.upload(image)
  const [id] = /med_\w+/.exec(await upload(image)) ?? []
  const keys = [
    foreign,
    `${id}`,
    'x',
    `media/uploads/${workspaceId}/../med_1.png`,
    `/media/uploads/${workspaceId}/${id}.png`,
  ]
  for (const key of keys) {
    const { status, body } = await complete(key, image)
    expect([key, status, body.code, body.field]).toEqual([key, 404, 'media_not_found', 'storageKey'])
  }
  expect((await other.complete(foreign, image)).status).toBe(201)
  expect((await complete(foreign, image)).status).toBe(404)
})

test.each([
  ['altText', 'a'.repeat(2001)],
  ['altText', 5],
  ['width', 0],
  ['height', 1.5],
  ['duration', 0],
  ['duration', 1e300],
  ['fileSize', 1_073_741_825],
  ['originalFilename', 'a/b'],
  ['mimeType', 'image/heic'],
  ['storageKey', ''],
  ['extra', true],
])('rejects %s %j and names the field', async (field, value) => {
  const { complete, workspaceId } = await mediaService.open()
  const key = `media/uploads/${workspaceId}/med_00000000000000000000000000.png`
  const { status, body } = await complete(key, image, { [field]: value })
  expect([status, body.field]).toEqual([400, field])
})
