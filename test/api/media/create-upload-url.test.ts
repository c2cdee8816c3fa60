import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { gif } from '../../media/files.ts'
import { serveMedia } from './gallery.ts'

const mediaService = serveMedia()

const uploadInput = { filename: 'photo.png', mimeType: 'image/png', fileSize: 5 }
const send = (url: string, body: string, type: string) =>
  fetch(url, { method: 'PUT', body, headers: { 'Content-Type': type } }).then(({ status }) => status)

test('returns an upload URL for a new key of the workspace, valid for fifteen minutes', async () => {
  const { call, clock, workspaceId, lies, waits } = await mediaService.open()
  clock.pass(1234)
  const { status, body } = await call('POST', '/upload-url', uploadInput)
  expect([status, Object.keys(body.data).sort()]).toEqual([
    200,
    ['expiresAt', 'headers', 'method', 'storageKey', 'uploadUrl'],
  ])
  const { uploadUrl, storageKey, expiresAt } = body.data
  expect(storageKey).toMatch(new RegExp(`^media/uploads/${workspaceId}/med_[0-9A-Z]{26}\\.png$`))
  expect(Date.parse(expiresAt)).toBe(Math.floor(clock.now() / 1000) * 1000 + 900_000)
  expect(uploadUrl).toContain('X-Amz-Expires=900')
  expect(await send(uploadUrl, 'bytes', 'image/png')).toBe(200)
  expect([await waits(storageKey), await lies(storageKey)]).toEqual([true, false])
  expect((await call('POST', '/upload-url', uploadInput)).body.data.storageKey).not.toBe(storageKey)
})

test('with a hash, the upload takes only its bytes, and the file is found by it', async () => {
  const { call, complete, list, idsOf, waits } = await mediaService.open()
  const bytes = gif(7, 8)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const input = { filename: 'a.gif', mimeType: 'image/gif', fileSize: bytes.length, sha256 }
  const { uploadUrl, storageKey, headers } = (await call('POST', '/upload-url', input)).body.data
  const sent = async (body: Buffer, more: Record<string, string> = headers) =>
    (await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(body), headers: more })).status
  expect(await sent(gif(8, 7))).toBe(400)
  expect(await sent(bytes, { 'Content-Type': 'image/gif' })).toBe(403)
  expect(await waits(storageKey)).toBe(false)
  expect(await sent(bytes)).toBe(200)
  const { data } = (await complete(storageKey, { bytes, mimeType: 'image/gif' })).body
  expect(data.sha256).toBe(sha256)
  expect(idsOf(await list(`?sha256=${sha256}`))).toEqual([data.id])
})

test('the upload URL rejects another type and another length', async () => {
  const { call, waits } = await mediaService.open()
  const { uploadUrl, storageKey } = (await call('POST', '/upload-url', uploadInput)).body.data
  expect(await send(uploadUrl, 'bytes', 'text/html')).toBe(403)
  expect(await send(uploadUrl, 'more bytes', 'image/png')).toBe(403)
  expect(await waits(storageKey)).toBe(false)
})

test.each([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mov'],
])('accepts %s up to its limit', async (mimeType, extension) => {
  const { call } = await mediaService.open()
  const largest = mimeType.startsWith('image/') ? 50_000_000 : 2 ** 30
  const requestUpload = (fileSize: number) => call('POST', '/upload-url', { ...uploadInput, mimeType, fileSize })
  expect((await requestUpload(largest)).body.data.storageKey).toMatch(new RegExp(`\\.${extension}$`))
  const refused = await requestUpload(largest + 1)
  expect(refused).toMatchObject({ status: 400, body: { field: 'fileSize' } })
  expect(refused.body.error).toContain(`at most ${largest} bytes for ${mimeType}`)
})

test.each([
  ['mimeType', 'image/svg+xml'],
  ['mimeType', 'text/html'],
  ['mimeType', 'IMAGE/PNG'],
  ['mimeType', undefined],
  ['sha256', 'abc'],
  ['fileSize', 0],
  ['fileSize', -1],
  ['fileSize', 1.5],
  ['fileSize', '5'],
  ['fileSize', undefined],
  ['filename', ''],
  ['filename', 'a'.repeat(256)],
  ['filename', '../photo.png'],
  ['filename', 'C:\\photo.png'],
  ['filename', 'photo\n.png'],
  ['filename', 'photo\0.png'],
  ['filename', '\ud800.png'],
  ['filename', undefined],
  ['extra', 1],
])('rejects %s %j and names the field', async (field, value) => {
  const { call } = await mediaService.open()
  const { status, body } = await call('POST', '/upload-url', { ...uploadInput, [field]: value })
  expect([status, body.field]).toEqual([400, field])
  expect(body.error).toContain(`"${field}"`)
})

test.each(['a'.repeat(255), 'Müller & Söhne (1).PNG', '..', '#?%41.png', '写真'])('accepts %j', async (filename) => {
  const { call } = await mediaService.open()
  const { status, body } = await call('POST', '/upload-url', { ...uploadInput, filename })
  expect([status, body.data.storageKey]).toEqual([200, expect.stringMatching(/\/med_[0-9A-Z]{26}\.png$/)])
})
