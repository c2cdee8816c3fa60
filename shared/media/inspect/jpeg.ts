import { type Size, sizeOf } from './size.ts'

/** Markers C0 to CF begin a frame, but for the tables DHT and DAC and the reserved JPG. */
const beginsFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** TEM and the restart markers stand alone; all others are followed by their length. */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

const endOfImage = 0xd9
const startOfScan = 0xda

/** The size of a JPEG from its frame header, found by walking over the segments before it (ITU T.81, annex B). */
export const jpegSize = (bytes: Buffer): Size | undefined => {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (marker === endOfImage || marker === startOfScan) return undefined
    if (beginsFrame(marker)) return sizeOf(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    // Any number of FF may stand before a marker.
    if (marker === 0xff) at += 1
    else if (standsAlone(marker)) at += 2
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}
