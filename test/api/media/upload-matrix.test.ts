import { beforeAll, expect, test, vi } from 'vitest'
import type { MediaType } from '../../../shared/media/types.ts'
import { clip } from '../../media/clips.ts'
import { chunk, film, gif, jpeg, png, webp } from '../../media/files.ts'
import { mux } from '../../media/muxed.ts'
import { makeSamples } from '../../media/samples.ts'
import { type MediaFixture, serveMedia } from './gallery.ts'

const mediaService = serveMedia()
let fixture: MediaFixture
beforeAll(async () => {
  fixture = await mediaService.open()
})

const image = { bytes: png(30, 20), mimeType: 'image/png' }
const put = async (url: string, body: Buffer, type = 'image/png') =>
  (await fetch(url, { method: 'PUT', body: new Uint8Array(body), headers: { 'Content-Type': type } })).status

test.each([
  ['0 bytes', 'image/png', 0, 'must'],
  ['5 GB', 'video/mp4', 5_000_000_000, 'at most 1073741824 bytes for video/mp4'],
  ['an image of 5 GB', 'image/jpeg', 5_000_000_000, 'at most 50000000 bytes for image/jpeg'],
])('creates no upload URL for %s', async (_title, mimeType, fileSize, message) => {
  const { status, body } = await fixture.call('POST', '/upload-url', { filename: 'a', mimeType, fileSize })
  expect([status, body.field]).toEqual([400, 'fileSize'])
  expect(body.error).toContain(message)
})

test('an upload URL accepts its size, type, and key only, and nothing after it expires', async () => {
  const { uploadUrl, storageKey } = (await fixture.requestUploadUrl(image)).body.data
  expect(await put(uploadUrl, Buffer.concat([image.bytes, Buffer.alloc(1)]))).toBe(403)
  expect(await put(uploadUrl, image.bytes.subarray(1))).toBe(403)
  expect(await put(uploadUrl, image.bytes, 'image/jpeg')).toBe(403)
  expect(await put(uploadUrl.replace(/med_.{4}/, 'med_0000'), image.bytes)).toBe(403)
  expect(await put(uploadUrl.replace('incoming/', 'media/uploads/'), image.bytes)).toBe(403)
  expect(await fixture.waits(storageKey)).toBe(false)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 901_000 })
  const late = (await fixture.requestUploadUrl(image)).body.data.uploadUrl
  vi.useRealTimers()
  expect(await put(late, image.bytes)).toBe(403)
  expect(await fixture.complete(storageKey, image)).toMatchObject({ status: 400, body: { code: 'file_not_uploaded' } })
})

test('a second upload to the same URL changes no served file', async () => {
  const { uploadUrl, storageKey } = (await fixture.requestUploadUrl(image)).body.data
  expect(await put(uploadUrl, image.bytes)).toBe(200)
  const { body: first } = await fixture.complete(storageKey, image)
  expect(await fixture.waits(storageKey)).toBe(false)
  const other = Buffer.alloc(image.bytes.length, 7)
  expect(await put(uploadUrl, other)).toBe(200)
  expect((await fixture.complete(storageKey, image)).body).toEqual(first)
  const shown = await fetch(first.data.url)
  expect(Buffer.from(await shown.arrayBuffer()).equals(image.bytes)).toBe(true)
  expect((await fixture.call('GET', `/${first.data.id}`)).body).toEqual(first)
})

test('an upload that is not completed is not served', async () => {
  const storageKey = await fixture.upload(image)
  const host = fixture.ctx.env('MEDIA_URL')
  expect((await fetch(`${host}/${storageKey}`)).status).toBe(404)
  expect((await fetch(`${host}/${storageKey.replace('media/uploads', 'incoming')}`)).status).toBe(404)
})

const html = Buffer.from('<!doctype html><script>alert(document.domain)</script>')
/** The end of an archive, behind which its comment has so many bytes. */
const zip = (commentBytes = 0) => {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(commentBytes, 20)
  return end
}
const stored = Buffer.from('PK\x03\x04 a file', 'latin1')
const text = (content: Buffer) => chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), content]))
/** A PNG with a chunk between its header and its picture. */
const pngWith = (extra: Buffer) => Buffer.concat([png(3, 4).subarray(0, 33), extra, png(3, 4).subarray(33)])
/** A GIF of many frames, each of one pixel, on one screen. */
const frames = (count: number, side: number) => {
  const still = gif(side, side)
  const frame = still.subarray(19, -1)
  return Buffer.concat([still.subarray(0, 19), ...Array.from({ length: count }, () => frame), still.subarray(-1)])
}

const issueOf = (code: string, message: string) => ({ code, field: 'storageKey', message })
const type = (message: string) => issueOf('media_type', `The uploaded file is ${message}`)
const cut = issueOf('media_truncated', 'Upload the whole file again')
const unknown = Buffer.from([1, 2, 0, 0xff, 0x80])
const script = Buffer.from('alert(1)//')
const polyglot = (message: string) => issueOf('media_polyglot', message)

test.each<[string, MediaType, Buffer | Promise<Buffer>, ReturnType<typeof issueOf>]>([
  ['HTML', 'image/png', html, type('a web page')],
  ['an SVG', 'image/webp', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), type('an SVG image')],
  ['HEIC', 'video/mp4', film('heic', 'mif1', 'heic'), type('a HEIC image (save it as JPEG)')],
  ['AVIF', 'image/jpeg', film('avif', 'mif1'), type('an AVIF image')],
  ['sound', 'video/mp4', film('M4A ', 'M4A ', 'mp42'), type('an audio file')],
  ['a ZIP', 'image/gif', Buffer.concat([stored, zip()]), type('a ZIP archive')],
  ['noise', 'image/jpeg', Buffer.alloc(99, 7), type('of an unsupported type')],
  ['JPEG and ZIP', 'image/jpeg', Buffer.concat([jpeg(3, 4), stored, zip()]), polyglot('is also a ZIP archive')],
  [
    'JPEG, unknown bytes and HTML',
    'image/jpeg',
    Buffer.concat([jpeg(3, 4), unknown, html]),
    polyglot('end of the JPEG'),
  ],
  ['JPEG and a script', 'image/jpeg', Buffer.concat([jpeg(3, 4), script]), polyglot('end of the JPEG')],
  ['JPEG and HTML', 'image/jpeg', Buffer.concat([jpeg(3, 4), html]), polyglot('after the end of the JPEG')],
  [
    'GIF and script',
    'image/gif',
    Buffer.concat([gif(0x2a2f, 9), Buffer.from('*/=1;alert(1)')]),
    polyglot('end of the GIF'),
  ],
  ['PNG and HTML', 'image/png', Buffer.concat([png(3, 4), html]), polyglot('54 bytes after the end of the PNG')],
  ['WebP and HTML', 'image/webp', Buffer.concat([webp.lossy(3, 4), html]), polyglot('after the end of the WebP')],
  ['PNG with a PDF in it', 'image/png', pngWith(text(Buffer.from('%PDF-1.7'))), polyglot('is also a PDF')],
  ['PNG with a ZIP in it', 'image/png', pngWith(text(zip(4 + png(3, 4).length - 33))), polyglot('ZIP')],
  ['PDF and JPEG', 'image/jpeg', Buffer.concat([Buffer.from('%PDF-1.7\n'), jpeg(3, 4)]), cut],
  ['HTML and MP4', 'video/mp4', Buffer.concat([html, clip()]), type('a web page')],
  ['MP4 and HTML', 'video/mp4', Buffer.concat([clip(), html]), polyglot('after the end of the video')],
  [
    'MP4 and ZIP',
    'video/mp4',
    Buffer.concat([clip(), Buffer.from('\0\0\0\x1efree', 'latin1'), zip()]),
    polyglot('ZIP'),
  ],
  ['a bomb', 'image/png', png(60_000, 60_000), issueOf('media_pixels', '60000 x 60000 pixels')],
  ['a bomb of frames', 'image/gif', frames(10_000, 10_000), issueOf('media_pixels', '10000 frames of 10000 x 10000')],
  ['a film of no size', 'video/mp4', clip({ width: 0, height: 0 }), issueOf('media_damaged', '0 x 0 pixels')],
  ['a giant film', 'video/mp4', clip({ width: 40_000, height: 40_000 }), issueOf('media_pixels', '40000 x 40000')],
  [
    'a film without pictures',
    'video/mp4',
    clip({ picture: false, sound: true }),
    issueOf('media_no_video', 'has no video track'),
  ],
  [
    'a film in fragments',
    'video/mp4',
    mux({ container: 'mp4', index: 'fragmented' }),
    issueOf('media_fragmented', 'ordinary MP4'),
  ],
  ['a film without its index', 'video/mp4', film('isom', 'mp42'), issueOf('media_truncated', 'without its index')],
  ['half a PNG', 'image/png', png(300, 200).subarray(0, 60), cut],
  ['half a JPEG', 'image/jpeg', jpeg(300, 200).subarray(0, -2), cut],
  ['half a GIF', 'image/gif', gif(300, 200).subarray(0, -3), cut],
  ['half a WebP', 'image/webp', webp.extended(300, 200).subarray(0, 40), cut],
  ['half an MP4', 'video/mp4', clip().subarray(0, -1), cut],
  ['half a MOV', 'video/quicktime', clip({ brand: 'qt  ', indexLast: true }).subarray(0, -9), cut],
])('%s sent as %s is rejected by its real type, and deleted', async (_title, mimeType, making, {
  code,
  field,
  message,
}) => {
  const bytes = await making
  const storageKey = await fixture.upload({ bytes, mimeType })
  expect(await fixture.waits(storageKey)).toBe(true)
  const { status, body } = await fixture.complete(storageKey, { bytes, mimeType })
  expect([status, body.code, body.field, body.error]).toEqual([400, code, field, expect.stringContaining(message)])
  expect(body.error).toMatch(
    /(?:again|then upload that file|Upload a file with a video track|It must be .* caption file)\.$/,
  )
  expect([await fixture.waits(storageKey), await fixture.lies(storageKey)]).toEqual([false, false])
  expect(await fixture.complete(storageKey, { bytes, mimeType })).toMatchObject({ body: { code: 'file_not_uploaded' } })
})

test('rejects and deletes an empty file', async () => {
  const storageKey = await fixture.upload(image)
  await fixture.lay(storageKey, Buffer.alloc(0))
  const { status, body } = await fixture.complete(storageKey, image)
  expect([status, body.code, body.error]).toEqual([
    400,
    'media_empty',
    'The uploaded file is empty. Upload the file itself.',
  ])
  expect(await fixture.waits(storageKey)).toBe(false)
})

test('no rejected file is in the library', async () => {
  const { items, total } = await fixture.list()
  expect([items.length, total]).toEqual([1, 1])
})

test('valid files of every type are added with their type', async () => {
  const samples = await makeSamples()
  for (const { name, mimeType, bytes, info } of samples) {
    const { status, body } = await fixture.add({ bytes, mimeType })
    const { width, height, frames: count, duration: durationMs, video } = body.data
    const claimed = { width, height, frames: count, durationMs, video }
    expect([name, status, claimed]).toEqual([
      name,
      201,
      { frames: undefined, durationMs: undefined, video: undefined, ...info },
    ])
  }
})
