import { webp, webpChunk, webpOf } from '../files.ts'
import { type Bomb, repeated } from './bomb.ts'

const u24 = (value: number) => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16])

const canvas = (width: number, height: number, flags = 0) =>
  webpChunk('VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), u24(width - 1), u24(height - 1)]))

const animated = 0x02
const pictureOf = (file: Buffer) => file.subarray(12)

/** A frame of an animation: its position, its size, its time, then a picture (RFC 9649, 2.7.1.1). */
const frame = (width: number, height: number) =>
  webpChunk(
    'ANMF',
    Buffer.concat([
      u24(0),
      u24(0),
      u24(width - 1),
      u24(height - 1),
      u24(10),
      Buffer.from([0]),
      pictureOf(webp.lossless(width, height)),
    ]),
  )

const background = webpChunk('ANIM', Buffer.alloc(6))
const moving = (width: number, height: number, ...frames: readonly Buffer[]) =>
  webpOf(canvas(width, height, animated), background, ...frames)

export const webpBombs: readonly Bomb[] = [
  { name: 'a WebP of 16,384 x 16,384 pixels', make: () => webp.lossless(16_384, 16_384), ends: 'media_pixels' },
  {
    name: 'a WebP on 16,777,216 x 16,777,216 pixels',
    make: () => webp.extended(2 ** 24, 2 ** 24),
    ends: 'media_pixels',
  },
  {
    name: 'a WebP whose picture is far larger than its canvas',
    make: () => webpOf(canvas(10, 10), pictureOf(webp.lossless(16_384, 16_384))),
    ends: 'media_pixels',
  },
  {
    name: 'a WebP with a frame that is larger than its canvas',
    make: () => moving(10, 10, frame(5000, 5000), frame(10, 10)),
    ends: 'media_damaged',
  },
  {
    name: 'a WebP of 100,000 frames',
    make: () => moving(1, 1, repeated(frame(1, 1), 100_000)),
    ends: 'media_complex',
  },
  {
    name: 'a WebP of 3,000,000 chunks',
    make: () =>
      webpOf(canvas(3, 4), pictureOf(webp.lossless(3, 4)), repeated(webpChunk('ABCD', Buffer.alloc(0)), 3_000_000)),
    ends: 'media_complex',
  },
].map((bomb) => ({ mimeType: 'image/webp', ...bomb }) as Bomb)
