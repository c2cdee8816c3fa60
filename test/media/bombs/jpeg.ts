import { jpeg, segment } from '../files.ts'
import { type Bomb, repeated } from './bomb.ts'

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])

const startOfImage = Buffer.from([0xff, 0xd8])
const endOfImage = Buffer.from([0xff, 0xd9])

/** A quantization table of ones (ITU T.81, B.2.4.1). */
const quantization = segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]))

/** A Huffman table with one code of one bit (ITU T.81, B.2.4.2). `position` is 0x00 for DC and 0x10 for AC. */
const oneCode = (position: number, symbol: number) =>
  segment(0xc4, Buffer.concat([Buffer.from([position, 1]), Buffer.alloc(15), Buffer.from([symbol])]))

const frame = (marker: number, width: number, height: number) =>
  segment(marker, Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])]))

/** Bits as bytes, filled up with ones. A byte of ones is followed by a zero (ITU T.81, F.1.2.3). */
const pack = (bits: string) => {
  const bytes = (bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []).map((byte) =>
    Number.parseInt(byte, 2),
  )
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
}

const longestRun = 32_767
/** A run of empty blocks: the code, then 14 bits of its length (ITU T.81, G.1.2.2). */
const emptyRun = `0${'1'.repeat(14)}`

/** A gray progressive JPEG that sends its AC coefficients again and again: a few bytes a scan, and each visits all blocks. */
export const scansJpeg = (width: number, height: number, scans: number): Buffer => {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const dc = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])), Buffer.alloc(Math.ceil(blocks / 8))])
  const runs = pack(emptyRun.repeat(Math.ceil(blocks / longestRun)))
  const ac = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 1, 63, 0])), runs])
  const tables = [quantization, oneCode(0, 0), oneCode(0x10, 0xe0)]
  return Buffer.concat([startOfImage, ...tables, frame(0xc2, width, height), dc, repeated(ac, scans - 1), endOfImage])
}

/** An Exif block whose first directory names itself as the next one, and as the directories of its camera and its location. */
const loopedExif = () => {
  const entry = (tag: number) => Buffer.concat([u16(tag), u16(4), Buffer.from([0, 0, 0, 1, 0, 0, 0, 8])])
  const directory = Buffer.concat([u16(2), entry(0x8769), entry(0x8825), Buffer.from([0, 0, 0, 8])])
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0MM\0\x2a\0\0\0\x08', 'latin1'), directory]))
}

/** A directory that claims 65,535 entries and has none. */
const emptyExif = () => segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0MM\0\x2a\0\0\0\x08', 'latin1'), u16(0xffff)]))

const comment = segment(0xfe, Buffer.alloc(0))
const whole = () => scansJpeg(64, 64, 2)
const withBefore = (before: Buffer) => Buffer.concat([startOfImage, before, whole().subarray(2)])
const box = (type: string) => Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from(type)])

export const jpegBombs: readonly Bomb[] = [
  { name: 'a JPEG of 20,000 scans', make: () => scansJpeg(4096, 4096, 20_000), ends: 'media_complex' },
  { name: 'a JPEG of 100 scans', make: () => scansJpeg(9984, 9984, 100), ends: 'taken' },
  { name: 'a JPEG of 65,535 x 65,535 pixels', make: () => jpeg(65_535, 65_535), ends: 'media_pixels' },
  {
    name: 'a JPEG with a second, larger frame',
    make: () => Buffer.concat([whole().subarray(0, -2), frame(0xc2, 65_535, 65_535), endOfImage]),
    ends: 'media_damaged',
  },
  { name: 'a JPEG of 1,000,000 segments', make: () => withBefore(repeated(comment, 1_000_000)), ends: 'media_complex' },
  { name: 'a JPEG with an Exif directory that loops', make: () => withBefore(loopedExif()), ends: 'taken' },
  { name: 'a JPEG with an Exif directory that is not there', make: () => withBefore(emptyExif()), ends: 'taken' },
  {
    name: 'a JPEG of 40 MB of fill bytes',
    make: () => withBefore(Buffer.alloc(40_000_000, 0xff)),
    ends: 'taken',
  },
  {
    name: 'a JPEG whose picture goes on for 40 MB',
    make: () => Buffer.concat([whole().subarray(0, -2), repeated(Buffer.from([0xff, 0]), 20_000_000), endOfImage]),
    ends: 'taken',
  },
  {
    name: 'a JPEG followed by a film of 5,000,000 boxes',
    make: () =>
      Buffer.concat([whole(), Buffer.from([0, 0, 0, 8]), Buffer.from('ftyp'), repeated(box('free'), 5_000_000)]),
    ends: 'taken',
  },
  {
    name: 'a JPEG followed by 40 MB of unknown data',
    make: () => Buffer.concat([whole(), Buffer.alloc(40_000_000, 0xa7)]),
    ends: 'taken',
  },
  {
    name: 'a JPEG followed by a drawing with a script',
    make: () => Buffer.concat([whole(), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')]),
    ends: 'media_polyglot',
  },
].map((bomb) => ({ mimeType: 'image/jpeg', ...bomb }) as Bomb)
