import { crc32, deflateSync } from 'node:zlib'

const u16be = (value: number) => Buffer.from([value >> 8, value & 0xff])
const u16le = (value: number) => Buffer.from([value & 0xff, value >> 8])
const u24le = (value: number) => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16])
const u32be = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u32le = (value: number) => Buffer.from(u32be(value >>> 0)).reverse()

/** A chunk of a PNG with its checksum. */
export const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([u32be(data.length), body, u32be(crc32(body))])
}

/** A whole PNG in one shade of grey. */
export const png = (width: number, height: number) =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([u32be(width), u32be(height), Buffer.from([8, 0, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min(height * (width + 1), 1_000_000)))),
    chunk('IEND', Buffer.alloc(0)),
  ])

/** A segment of a JPEG: its marker, its length, its data. */
export const segment = (marker: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16be(data.length + 2), data])

/** Segments of a color profile, which stays in a JPEG: 60 KB each. */
export const profiles = (count: number): Buffer[] =>
  Array.from({ length: count }, () =>
    segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.alloc(60_000)])),
  )

/** A JPEG up to its scan, with any segments before the frame header. */
export const jpeg = (width: number, height: number, before: readonly Buffer[] = [], frame = 0xc0) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...before,
    segment(frame, Buffer.concat([Buffer.from([8]), u16be(height), u16be(width), Buffer.from([1, 1, 0x11, 0])])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x7f, 0xff, 0xd9]),
  ])

/** A GIF of one pixel on a screen of any size. */
export const gif = (width: number, height: number, version = 'GIF89a') =>
  Buffer.concat([
    Buffer.from(version),
    u16le(width),
    u16le(height),
    Buffer.from('800000000000ffffff2c000000000100010000020144003b', 'hex'),
  ])

/** A chunk of a WebP. */
export const webpChunk = (type: string, data: Buffer) =>
  Buffer.concat([Buffer.from(type), u32le(data.length), data, Buffer.alloc(data.length % 2)])

/** A WebP of some chunks. */
export const webpOf = (...chunks: readonly Buffer[]) => {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return Buffer.concat([Buffer.from('RIFF'), u32le(body.length), body])
}

const lossyPicture = (width: number, height: number) =>
  Buffer.concat([Buffer.from('9001009d012a', 'hex'), u16le(width), u16le(height), Buffer.alloc(8)])

/** The three forms of WebP: their headers, with nothing to see. */
export const webp = {
  lossy: (width: number, height: number) => webpOf(webpChunk('VP8 ', lossyPicture(width, height))),
  lossless: (width: number, height: number) =>
    webpOf(
      webpChunk(
        'VP8L',
        Buffer.concat([Buffer.from([0x2f]), u32le((width - 1) | ((height - 1) << 14)), Buffer.alloc(8)]),
      ),
    ),
  extended: (width: number, height: number) =>
    webpOf(
      webpChunk('VP8X', Buffer.concat([Buffer.from([0, 0, 0, 0]), u24le(width - 1), u24le(height - 1)])),
      webpChunk('VP8 ', lossyPicture(width, height)),
    ),
}

/** The start of a film: its brands, then a box of bytes; without an index it can only be recognized by its brands. */
export const film = (major: string, ...compatible: readonly string[]) => {
  const brands = Buffer.from([major, '\0\0\0\0', ...compatible].join(''), 'latin1')
  return Buffer.concat([
    u32be(brands.length + 8),
    Buffer.from('ftyp'),
    brands,
    u32be(1008),
    Buffer.from('mdat'),
    Buffer.alloc(1000),
  ])
}
