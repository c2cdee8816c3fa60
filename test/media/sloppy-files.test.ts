import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { type MediaFixture, serveMedia } from '../api/media/gallery.ts'
import { film, halves, noise } from './pictures.ts'

const mediaService = serveMedia()
let fixture: MediaFixture
let whole: Readonly<Record<'jpeg' | 'png' | 'gif' | 'webp', Buffer>>
beforeAll(async () => {
  fixture = await mediaService.open()
  whole = {
    jpeg: await noise(60, 40).jpeg({ progressive: true }).toBuffer(),
    png: await halves(60, 40).png().toBuffer(),
    gif: await film(60, 40),
    webp: await halves(60, 40).webp().toBuffer(),
  }
})

type Format = keyof typeof whole
const text = (content: string) => Buffer.from(content, 'latin1')
const opaque = Buffer.from([1, 2, 0, 0xff, 0x80, 7, 0xfe])
const behind = (format: Format, bytes: Buffer) => Buffer.concat([whole[format], bytes])

/** Puts bytes before each marker of a JPEG up to its first scan, but the first marker: its type is known by that. */
const between = (bytes: Buffer) => {
  const { jpeg } = whole
  const parts = [jpeg.subarray(0, 2)]
  let at = 2
  for (;;) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    parts.push(at === 2 ? Buffer.alloc(0) : bytes, jpeg.subarray(at, end))
    if (jpeg[at + 1] === 0xda) return Buffer.concat([...parts, jpeg.subarray(end)])
    at = end
  }
}

/** Puts bytes behind the last frame of a GIF, before its trailer. */
const beforeTrailer = (bytes: Buffer) => Buffer.concat([whole.gif.subarray(0, -1), bytes, text(';')])

/** Files that are not as their formats want them, and that every viewer shows. */
const taken: Readonly<Record<string, () => [Format, Buffer]>> = {
  'a JPEG with a line break behind it': () => ['jpeg', behind('jpeg', text('\r\n'))],
  'a JPEG with blanks and zeros behind it': () => ['jpeg', behind('jpeg', text('  \n\0\0\t'))],
  'a JPEG with unknown bytes behind it': () => ['jpeg', behind('jpeg', opaque)],
  'a JPEG with fill bytes': () => ['jpeg', between(Buffer.alloc(3, 0xff))],
  'a JPEG with line breaks between its segments': () => ['jpeg', between(text('\r\n'))],
  'a JPEG with stray bytes between its segments': () => ['jpeg', between(Buffer.from([0, 0xc0, 0xff, 0, 9]))],
  'a GIF without its trailer': () => ['gif', whole.gif.subarray(0, -1)],
  'a GIF with zeros before its trailer': () => ['gif', beforeTrailer(Buffer.alloc(4))],
  'a GIF with stray bytes before its trailer': () => ['gif', beforeTrailer(opaque)],
  'a GIF with a line break behind it': () => ['gif', behind('gif', text('\n'))],
  'a GIF with unknown bytes behind it': () => ['gif', behind('gif', opaque)],
  'a PNG with a line break behind it': () => ['png', behind('png', text('\r\n'))],
  'a PNG with unknown bytes behind it': () => ['png', behind('png', opaque)],
  'a WebP with a line break behind it': () => ['webp', behind('webp', text('\n'))],
}

const pixels = (bytes: Buffer, failOn: 'none' | 'warning') => sharp(bytes, { animated: true, failOn }).raw().toBuffer()

test.each(Object.keys(taken))('%s is accepted, without unneeded parts', async (name) => {
  const [format, bytes] = taken[name]?.() ?? ['png', Buffer.alloc(0)]
  const { status, body } = await fixture.add({ bytes, mimeType: `image/${format}` })
  expect([status, body.error, body.data?.width, body.data?.height]).toEqual([201, undefined, 60, 40])
  const stored = Buffer.from(await (await fetch(body.data.url)).arrayBuffer())
  expect(body.data.fileSize).toBe(stored.length)
  expect((await pixels(stored, 'warning')).equals(await pixels(whole[format], 'warning'))).toBe(true)
  const clean = await fixture.add({ bytes: whole[format], mimeType: `image/${format}` })
  expect(stored.length).toBe(clean.body.data.fileSize)
})

const archive = text('PK\x03\x04 a file')
const html = text('\0<script>alert(1)</script>')

/** These could be another file in disguise. */
const refused: Readonly<Record<string, () => [Format, Buffer]>> = {
  'a GIF with a script behind it': () => ['gif', behind('gif', text('*/=1;alert(1)'))],
  'a GIF with a page behind it': () => ['gif', behind('gif', html)],
  'a GIF with an archive behind it': () => ['gif', behind('gif', archive)],
  'a GIF with a page before its trailer': () => ['gif', beforeTrailer(Buffer.concat([opaque, html]))],
  'a GIF with a script in place of its trailer': () => [
    'gif',
    Buffer.concat([whole.gif.subarray(0, -1), text('=1;alert(1)')]),
  ],
  'a JPEG with a page between its segments': () => ['jpeg', between(html)],
  'a JPEG with an archive between its segments': () => ['jpeg', between(archive)],
  'a JPEG with a script behind it': () => ['jpeg', behind('jpeg', text('\nalert(1)//'))],
  'a PNG with a page behind it': () => ['png', behind('png', Buffer.concat([opaque, html]))],
  'a WebP with an archive behind it': () => ['webp', behind('webp', Buffer.concat([opaque, archive]))],
}

test.each(Object.keys(refused))('%s is refused', async (name) => {
  const [format, bytes] = refused[name]?.() ?? ['png', Buffer.alloc(0)]
  const { status, body } = await fixture.add({ bytes, mimeType: `image/${format}` })
  expect([status, body.code]).toEqual([400, 'media_polyglot'])
})
