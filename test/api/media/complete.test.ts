import { expect, test } from 'vitest'
import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
import { film, gif, jpeg, png, segment, webp } from '../../media/files.ts'
import { serveGalleries } from './gallery.ts'

const galleries = serveGalleries()

const image = { bytes: png(30, 20), mimeType: 'image/png' }
const video = { bytes: film('isom', 'mp42'), mimeType: 'video/mp4' }

test.each([
  ['image/png', png(30, 20)],
  ['image/jpeg', jpeg(30, 20)],
  ['image/gif', gif(30, 20)],
  ['image/webp', webp.lossy(30, 20)],
  ['image/webp', webp.lossless(30, 20)],
  ['image/webp', webp.extended(30, 20)],
])('an uploaded %s joins the gallery with its measured size', async (mimeType, bytes) => {
  const { upload, complete, call } = await galleries.open()
  const file = { bytes, mimeType }
  const storageKey = await upload(file)
  const { status, body } = await complete(storageKey, file, { width: 1, height: 1, duration: 5, altText: 'A view' })
  const asset = {
    id: storageKey.split(/[/.]/).at(-2),
    originalFilename: 'a file',
    fileSize: bytes.length,
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
  const shown = await fetch(body.data.previewUrl)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, mimeType])
  expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
})

test.each([
  [undefined, undefined],
  [12.5, 12_500],
  [999, 999_000],
  [1000, 1000],
  [12_345.6, 12_346],
])('the duration of a video sent as %s is %s ms', async (sent, duration) => {
  const { add } = await galleries.open()
  const { status, body } = await add(video, { width: 1920, height: 1080, duration: sent })
  expect([status, body.data.duration]).toEqual([201, duration])
  expect(body.data).toMatchObject({ width: 1920, height: 1080, altText: null })
})

test('the frame of a JPEG is found behind more than the first read', async () => {
  const { add } = await galleries.open()
  const profiles = Array.from({ length: 3 }, () => segment(0xe2, Buffer.alloc(60_000)))
  const { body } = await add({ bytes: jpeg(4000, 3000, profiles), mimeType: 'image/jpeg' })
  expect(body.data).toMatchObject({ width: 4000, height: 3000 })
})

test('a second completion answers the same asset, whatever it says, and counts nothing', async () => {
  const { upload, complete, list } = await galleries.open()
  const storageKey = await upload(image)
  const first = await complete(storageKey, image, { altText: 'first' })
  const second = await complete(storageKey, image, { altText: 'second' })
  expect([second.status, second.body]).toEqual([201, first.body])
  expect(await list()).toMatchObject({ total: 1, items: [{ altText: 'first' }] })
})

test('a second completion costs the read that authorizes beside the count, and asks the bucket nothing', async () => {
  const { upload, complete } = await galleries.open()
  const storageKey = await upload(image)
  await complete(storageKey, image)
  const actions: string[] = []
  const watcher = <T>({ action }: FunctionEffect, run: () => Promise<T>) => {
    actions.push(action)
    return run()
  }
  await galleries.watch(watcher, () => complete(storageKey, image))
  expect(actions).toEqual(['BatchGetItem', 'UpdateItem'])
})

test('of completions at the same moment one makes the asset and all answer it', async () => {
  const { upload, complete, list } = await galleries.open()
  const storageKey = await upload(image)
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((altText) => complete(storageKey, image, { altText })))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  const { total, items } = await list()
  expect([total, items.length]).toEqual([1, 1])
  for (const { body } of answers) expect(body.data).toEqual(items[0])
})

test('an Idempotency-Key replays the answer to the letter, and refuses another body', async () => {
  const { upload, complete } = await galleries.open()
  const storageKey = await upload(image)
  const headers = { 'Idempotency-Key': 'complete once' }
  const first = await complete(storageKey, image, {}, headers)
  const replay = await complete(storageKey, image, {}, headers)
  expect([first.status, replay.status, replay.text]).toEqual([201, 201, first.text])
  expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
  expect((await complete(storageKey, image, { altText: 'other' }, headers)).status).toBe(422)
})

test('before the upload it is refused, after it is done', async () => {
  const { askFor, complete, lay } = await galleries.open()
  const { storageKey } = (await askFor(image)).body.data
  const early = await complete(storageKey, image)
  expect(early).toMatchObject({ status: 400, body: { code: 'not_uploaded', field: 'storageKey' } })
  await lay(storageKey, image.bytes)
  expect((await complete(storageKey, image)).status).toBe(201)
})

test('another size than the file has is refused with both, and the file stays', async () => {
  const { upload, complete, lies } = await galleries.open()
  const storageKey = await upload(image)
  const { length } = image.bytes
  for (const fileSize of [length - 1, length + 1]) {
    const { status, body } = await complete(storageKey, image, { fileSize })
    expect([status, body.code, body.field]).toEqual([400, 'media_size', 'fileSize'])
    expect(body.error).toContain(`says ${fileSize} bytes`)
    expect(body.error).toContain(`has ${length}:`)
  }
  expect(await lies(storageKey)).toBe(true)
  expect((await complete(storageKey, image)).status).toBe(201)
})

test('a file of 0 bytes is refused', async () => {
  const { upload, complete, lay } = await galleries.open()
  const storageKey = await upload(image)
  await lay(storageKey, Buffer.alloc(0))
  expect((await complete(storageKey, image)).body.error).toContain('has 0:')
  expect((await complete(storageKey, image, { fileSize: 0 })).status).toBe(400)
})

const html = Buffer.from('<!doctype html><script>alert(document.domain)</script>')

test.each([
  ['HTML', 'image/png', html, 'none of the types we take'],
  ['a JPEG', 'image/png', jpeg(3, 4), 'image/jpeg'],
  ['a PNG', 'video/mp4', png(3, 4), 'image/png'],
  ['a film of Apple', 'video/mp4', film('qt  '), 'video/quicktime'],
  ['an SVG', 'image/webp', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'none of the types we take'],
])('%s sent as %s is refused with both types, and removed', async (_what, mimeType, bytes, found) => {
  const { upload, complete, lies, list } = await galleries.open()
  const storageKey = await upload({ bytes, mimeType })
  expect(await lies(storageKey)).toBe(true)
  const { status, body } = await complete(storageKey, { bytes, mimeType })
  expect([status, body.code, body.field]).toEqual([400, 'media_type', 'mimeType'])
  expect(body.error).toContain(`says ${mimeType}`)
  expect(body.error).toContain(`the file is ${found}`)
  expect(await lies(storageKey)).toBe(false)
  expect(await list()).toMatchObject({ total: 0, items: [] })
})

test('a PNG with HTML behind its header is a PNG, and is shown as nothing else', async () => {
  const { add } = await galleries.open()
  const { status, body } = await add({ bytes: Buffer.concat([png(3, 4), html]), mimeType: 'image/png' })
  expect([status, body.data.width]).toEqual([201, 3])
  const { headers } = await fetch(body.data.previewUrl)
  expect(headers.get('content-type')).toBe('image/png')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test.each([
  ['image/png', png(3, 4).subarray(0, 20)],
  ['image/jpeg', jpeg(3, 4).subarray(0, 20)],
  ['image/gif', gif(3, 4).subarray(0, 8)],
  ['image/webp', webp.extended(3, 4).subarray(0, 24)],
  ['image/png', png(0, 4)],
  ['image/jpeg', Buffer.concat([jpeg(3, 4).subarray(0, 20), Buffer.alloc(70_000)])],
])('a damaged or cut %s is refused and removed', async (mimeType, bytes) => {
  const { upload, complete, lies } = await galleries.open()
  const storageKey = await upload({ bytes, mimeType })
  const { status, body } = await complete(storageKey, { bytes, mimeType })
  expect([status, body.code]).toEqual([400, 'media_type'])
  expect(body.error).toContain('damaged or cut off')
  expect(await lies(storageKey)).toBe(false)
})

test('the key of another workspace, and what is no key, are not found', async () => {
  const { upload, complete, workspaceId } = await galleries.open()
  const other = await galleries.open()
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
    expect([key, status, body.code, body.field]).toEqual([key, 404, 'media_missing', 'storageKey'])
  }
  expect((await other.complete(foreign, image)).status).toBe(201)
  expect((await complete(foreign, image)).status).toBe(404)
})

test('a key opened for another type is refused, so that no film passes as a picture', async () => {
  const { upload, complete, lies } = await galleries.open()
  const storageKey = await upload({ ...image, mimeType: 'video/mp4' })
  const { status, body } = await complete(storageKey, image)
  expect([status, body.code, body.field]).toEqual([400, 'media_type', 'mimeType'])
  expect(await lies(storageKey)).toBe(true)
})

test.each([
  ['altText', 'a'.repeat(2001)],
  ['altText', 5],
  ['width', 0],
  ['height', 1.5],
  ['duration', 0],
  ['duration', 1e300],
  ['fileSize', 50_000_001],
  ['originalFilename', 'a/b'],
  ['mimeType', 'image/heic'],
  ['storageKey', ''],
  ['extra', true],
])('%s %j is refused by its name', async (field, value) => {
  const { complete, workspaceId } = await galleries.open()
  const key = `media/uploads/${workspaceId}/med_00000000000000000000000000.png`
  const { status, body } = await complete(key, image, { [field]: value })
  expect([status, body.field]).toEqual([400, field])
})
