import { type Bomb, repeated } from './bomb.ts'

const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8])

const header = (width: number, height: number) =>
  Buffer.concat([Buffer.from('GIF89a'), u16(width), u16(height), Buffer.from('800000000000ffffff', 'hex')])

/** A frame with what an LZW coder wrote, in blocks of at most 255 bytes (GIF89a, 15 and 22). */
const frame = (width: number, height: number, coded: Buffer) => {
  const blocks: Buffer[] = []
  for (let at = 0; at < coded.length; at += 255) {
    const some = coded.subarray(at, at + 255)
    blocks.push(Buffer.from([some.length]), some)
  }
  return Buffer.concat([
    Buffer.from([0x2c, 0, 0, 0, 0]),
    u16(width),
    u16(height),
    Buffer.from([0, 2]),
    ...blocks,
    Buffer.from([0]),
  ])
}

/** One pixel: the clear code, the color 0, the end. */
const dot = Buffer.from([0x44, 0x01])
const trailer = Buffer.from([0x3b])
const emptyComment = Buffer.from([0x21, 0xfe, 0])

const gifOf = (width: number, height: number, ...blocks: readonly Buffer[]) =>
  Buffer.concat([header(width, height), ...blocks, trailer])

/** Clear codes of three bits, 4 each, with no pixel among them. */
const clearCodes = (bytes: number) => repeated(Buffer.from([0b00100100, 0b01001001, 0b10010010]), Math.ceil(bytes / 3))

export const gifBombs: readonly Bomb[] = [
  {
    name: 'a GIF of 100,000 frames',
    make: () => gifOf(1, 1, repeated(frame(1, 1, dot), 100_000)),
    ends: 'media_complex',
  },
  {
    name: 'a GIF of 100,000 frames on 65,535 x 65,535 pixels',
    make: () => gifOf(65_535, 65_535, repeated(frame(1, 1, dot), 100_000)),
    ends: 'media_pixels',
  },
  {
    name: 'a GIF with one frame that is far larger than its screen',
    make: () => gifOf(1, 1, frame(65_535, 65_535, dot)),
    ends: 'media_pixels',
  },
  {
    name: 'a GIF of 30 MB that only clears its codes',
    make: () => gifOf(10_000, 10_000, frame(10_000, 10_000, clearCodes(30_000_000))),
    ends: 'taken',
  },
  {
    name: 'a GIF of 20,000,000 blocks of one byte',
    make: () =>
      gifOf(1, 1, frame(1, 1, dot).subarray(0, -1), repeated(Buffer.from([1, 0x44]), 20_000_000), Buffer.from([0])),
    ends: 'taken',
  },
  {
    name: 'a GIF of 5,000,000 empty comments',
    make: () => gifOf(1, 1, repeated(emptyComment, 5_000_000), frame(1, 1, dot)),
    ends: 'media_complex',
  },
  {
    name: 'a script that begins like a GIF',
    make: () => Buffer.from('GIF89a=1;alert(document.domain)//'.padEnd(200, '/')),
    ends: 'media_pixels',
  },
].map((bomb) => ({ mimeType: 'image/gif', ...bomb }) as Bomb)
