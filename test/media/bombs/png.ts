import { deflateSync } from 'node:zlib'
import { chunk, png } from '../files.ts'
import type { Bomb } from './bomb.ts'
import { repeated } from './bomb.ts'

const u32 = (...numbers: readonly number[]) =>
  Buffer.concat(numbers.map((n) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n])))

const megabyte = 2 ** 20

let zeros: Buffer | undefined

/** 512 MB of zeros, which deflate to a thousandth. */
const deflated = (): Buffer => {
  zeros ??= deflateSync(Buffer.alloc(512 * megabyte))
  return zeros
}

const parts = () => {
  const bytes = png(64, 64)
  return { head: bytes.subarray(0, 33), picture: bytes.subarray(33, -12), end: bytes.subarray(-12) }
}

const withBefore = (...before: readonly Buffer[]) => {
  const { head, picture, end } = parts()
  return Buffer.concat([head, ...before, picture, end])
}

const frames = (count: number) => {
  const { head, picture, end } = parts()
  const control = chunk('fcTL', Buffer.concat([u32(0, 64, 64, 0, 0), Buffer.from([0, 1, 0, 100, 0, 0])]))
  const data = chunk('fdAT', Buffer.concat([u32(1), picture.subarray(8, -4)]))
  return Buffer.concat([
    head,
    chunk('acTL', u32(count, 0)),
    control,
    picture,
    repeated(Buffer.concat([control, data]), count - 1),
    end,
  ])
}

const many = (type: string, times: number) => withBefore(repeated(chunk(type, Buffer.alloc(0)), times))

export const pngBombs: readonly Bomb[] = [
  { name: 'a PNG of two thousand million pixels', make: () => png(46_341, 46_341), ends: 'media_pixels' },
  {
    name: 'a PNG of 2,147,483,647 x 2,147,483,647 pixels',
    make: () => png(2 ** 31 - 1, 2 ** 31 - 1),
    ends: 'media_pixels',
  },
  {
    name: 'a PNG whose picture inflates to 512 MB',
    make: () => {
      const { head, end } = parts()
      return Buffer.concat([head, chunk('IDAT', deflated()), end])
    },
    ends: 'taken',
  },
  {
    name: 'a PNG whose colors inflate to 512 MB',
    make: () => withBefore(chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflated()]))),
    ends: 'taken',
  },
  {
    name: 'a PNG whose text inflates to 512 MB',
    make: () => withBefore(chunk('zTXt', Buffer.concat([Buffer.from('t\0\0'), deflated()]))),
    ends: 'taken',
  },
  {
    name: 'a PNG whose text inflates to 512 MB twenty times',
    make: () => withBefore(repeated(chunk('zTXt', Buffer.concat([Buffer.from('t\0\0'), deflated()])), 20)),
    ends: 'taken',
  },
  {
    name: 'a PNG whose international text inflates to 512 MB',
    make: () => withBefore(chunk('iTXt', Buffer.concat([Buffer.from('t\0\x01\0\0\0'), deflated()]))),
    ends: 'taken',
  },
  { name: 'a PNG of 3,000,000 pieces of its picture', make: () => many('IDAT', 3_000_000), ends: 'media_complex' },
  { name: 'a PNG of 100,000 texts', make: () => many('tEXt', 100_000), ends: 'media_complex' },
  { name: 'a PNG that moves in 100,000 frames', make: () => frames(100_000), ends: 'media_complex' },
  {
    name: 'a drawing that says it is a PNG',
    make: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ends: 'media_type',
  },
].map((bomb) => ({ mimeType: 'image/png', ...bomb }) as Bomb)
