import { assertTrailer, maxParts } from './bounds.ts'
import { assertSize, motionOf, type ReadImage } from './info.ts'
import { counter, invalidFile, truncated } from './invalid-file.ts'

const headerBytes = 13
const extension = 0x21
const graphicControl = 0xf9
const application = 0xff
const image = 0x2c
const trailer = 0x3b

const byteAt = (bytes: Buffer, at: number): number => {
  const byte = bytes[at]
  if (byte === undefined) throw truncated('GIF')
  return byte
}

/** The size in bytes of a color table, from its packed field: none, or 2 to 256 colors. */
const tableBytes = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1))

/** The position after a chain of length-prefixed blocks, which an empty one ends (GIF89a, 15). */
const endOfBlocks = (bytes: Buffer, from: number): number => {
  let at = from
  for (let length = byteAt(bytes, at); length > 0; length = byteAt(bytes, at)) at += 1 + length
  return at + 1
}

/** A frame can extend beyond the screen: viewers then enlarge it (GIF89a, 20). */
const assertFrame = (bytes: Buffer, at: number) => {
  if (at + 10 > bytes.length) throw truncated('GIF')
  const right = bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5)
  const bottom = bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7)
  assertSize(Math.max(1, right), Math.max(1, bottom))
}

/** What application extensions say about how frames are shown: how often they repeat, and a color profile. */
const applications = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

/** Whether an extension defines how frames are shown; others are comments, texts, and application data (GIF89a, 24 to 26). */
const isVisible = (bytes: Buffer, at: number): boolean => {
  const label = byteAt(bytes, at + 1)
  if (label === graphicControl) return true
  return label === application && applications.includes(bytes.toString('latin1', at + 3, at + 14))
}

/**
 * The number and duration of the frames of a GIF, from its blocks up to the trailer (GIF89a, appendix B). Keeps frames and
 * what defines how they are shown.
 */
export const readGif = (bytes: Buffer): ReadImage => {
  if (bytes.length < headerBytes) throw truncated('GIF')
  const size = assertSize(bytes.readUInt16LE(6), bytes.readUInt16LE(8))
  let at = headerBytes + tableBytes(byteAt(bytes, 10))
  const cleaned = [bytes.subarray(0, at)]
  let frames = 0
  let durationMs = 0
  const countFrame = counter(maxParts.frames, `is a GIF with more than ${maxParts.frames} frames`)
  const countExtension = counter(maxParts.extensions, `is a GIF with more than ${maxParts.extensions} extension blocks`)
  // Viewers show the frames of a file that has no trailer.
  while (frames === 0 || at < bytes.length) {
    const [from, block] = [at, byteAt(bytes, at)]
    if (block === trailer) {
      at += 1
      break
    } else if (block === image) {
      countFrame()
      frames += 1
      assertFrame(bytes, at)
      // A descriptor of ten bytes, the colors, then one byte before the image data.
      at = endOfBlocks(bytes, at + 11 + tableBytes(byteAt(bytes, at + 9)))
      cleaned.push(bytes.subarray(from, at))
    } else if (block === extension) {
      countExtension()
      // Delays are in hundredths of a second.
      if (byteAt(bytes, at + 1) === graphicControl) {
        durationMs += 10 * (byteAt(bytes, at + 4) + 256 * byteAt(bytes, at + 5))
      }
      at = endOfBlocks(bytes, at + 2)
      if (isVisible(bytes, from)) cleaned.push(bytes.subarray(from, at))
    } else if (frames === 0) {
      throw invalidFile('media_damaged', 'is a GIF with stray bytes between its blocks')
    } else if (block === 0) {
      at += 1
    } else break // Viewers show the frames before other bytes, and none after them.
  }
  if (frames === 0) throw invalidFile('media_damaged', 'is a GIF without an image')
  assertTrailer('GIF', bytes.subarray(at))
  cleaned.push(Buffer.from([trailer]))
  return { info: { ...size, ...motionOf(size, frames, durationMs) }, cleaned }
}
