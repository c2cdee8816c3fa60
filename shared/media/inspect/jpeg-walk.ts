import { most } from './bounds.ts'
import { orientationIn, uprightSize } from './exif.ts'
import { assertSize } from './facts.ts'
import { counter, invalidFile, truncated } from './invalid-file.ts'
import type { Size } from './size.ts'

/** Markers C0 to CF begin a frame, except the tables DHT and DAC and the reserved JPG. */
const beginsFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7
/** TEM and the restart markers have no length; all others do. */
const standsAlone = (marker: number) => marker === 0x01 || isRestart(marker)

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const app1 = 0xe1
const exifName = 'Exif\0\0'

/** The end of a scan: at a marker that is neither a stuffed zero nor a restart (ITU T.81, B.1.1). */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0x00 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}

/** Walks a JPEG from its start to the position after its EOI (ITU T.81, annex B). */
export const walkJpeg = (bytes: Buffer): { end: number; size: Size } => {
  let size: Size | undefined
  let orientation = 1
  let scans = 0
  const countScan = counter(most.scans, `is a JPEG with more than ${most.scans} scans`)
  const countSegment = counter(most.segments, `is a JPEG with more than ${most.segments} segments`)
  let at = 2
  for (;;) {
    if (at + 2 > bytes.length) throw truncated('JPEG')
    const marker = bytes.readUInt8(at + 1)
    if (bytes[at] !== 0xff || marker === 0 || marker === startOfImage) {
      throw invalidFile('media_damaged', 'has stray bytes between the segments of a JPEG')
    }
    if (marker === endOfImage) break
    // Any number of FF bytes can precede a marker.
    if (marker === 0xff || standsAlone(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (at + 4 > bytes.length) throw truncated('JPEG')
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) throw invalidFile('media_damaged', 'has a JPEG segment without a length')
    const next = at + 2 + length
    if (next > bytes.length) throw truncated('JPEG')
    countSegment()
    if (beginsFrame(marker) && length >= 8) {
      if (size) throw invalidFile('media_damaged', 'is a JPEG with a second frame')
      size = assertSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    }
    if (marker === app1 && bytes.toString('latin1', at + 4, at + 10) === exifName) {
      orientation = orientationIn(bytes.subarray(at + 10, next))
    }
    at = next
    if (marker !== startOfScan) continue
    countScan()
    scans += 1
    at = endOfScan(bytes, next)
  }
  if (!size || scans === 0) throw invalidFile('media_damaged', 'is a JPEG without an image')
  return { end: at + 2, size: uprightSize(size, orientation) }
}
