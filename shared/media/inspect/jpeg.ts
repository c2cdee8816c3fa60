import { assertTrailer, holdsOther, maxParts } from './bounds.ts'
import { isBoxType } from './box.ts'
import { orientationBlock, orientationIn, uprightSize } from './exif.ts'
import { assertSize, type ReadImage, type Size } from './info.ts'
import { counter, invalidFile, truncated } from './invalid-file.ts'

/** Markers C0 to CF begin a frame, except the tables DHT and DAC and the reserved JPG. */
const beginsFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7
/** TEM and the restart markers have no length; all others do. */
const standsAlone = (marker: number) => marker === 0x01 || isRestart(marker)

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const app0 = 0xe0
const app1 = 0xe1
const app2 = 0xe2
const app14 = 0xee
const comment = 0xfe
const exifName = 'Exif\0\0'

const isExif = (marker: number, data: Buffer) =>
  marker === app1 && data.toString('latin1', 0, exifName.length) === exifName

/** The end of a scan: at a marker that is neither a stuffed zero nor a restart (ITU T.81, B.1.1). */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0x00 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}

/**
 * The next marker (ITU T.81, B.1.1.2). Bytes before it that are no part of a segment are skipped, as libjpeg-turbo does with a
 * warning (jdmarker.c, next_marker, 3.1); they could be another file in disguise.
 */
const nextMarker = (bytes: Buffer, from: number): number => {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0 && (bytes[at + 1] === 0xff || bytes[at + 1] === 0)) {
    at = bytes.indexOf(0xff, at + (bytes[at + 1] === 0 ? 2 : 1))
  }
  if (at < 0 || at + 2 > bytes.length) throw truncated('JPEG')
  if (at > from && holdsOther(bytes.subarray(from, at))) {
    throw invalidFile('media_polyglot', 'has another file between the segments of a JPEG')
  }
  return at
}

/** A part of a JPEG from its marker: for a scan, with the image data after it. */
interface Segment {
  marker: number
  /** The part with its marker. */
  whole: Buffer
  /** The data after the marker and the length. */
  data: Buffer
}

/** Walks a JPEG from its start to the position after its EOI (ITU T.81, annex B). */
const walkJpeg = (bytes: Buffer): { end: number; size: Size; orientation: number; segments: readonly Segment[] } => {
  let size: Size | undefined
  let orientation = 1
  let scans = 0
  const segments: Segment[] = []
  const countScan = counter(maxParts.scans, `is a JPEG with more than ${maxParts.scans} scans`)
  const countSegment = counter(maxParts.segments, `is a JPEG with more than ${maxParts.segments} segments`)
  let at = 2
  for (;;) {
    at = nextMarker(bytes, at)
    const marker = bytes.readUInt8(at + 1)
    if (marker === startOfImage) throw invalidFile('media_damaged', 'has a second start between the segments of a JPEG')
    if (marker === endOfImage) break
    if (standsAlone(marker)) {
      at += 2
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
    const data = bytes.subarray(at + 4, next)
    if (isExif(marker, data)) orientation = orientationIn(data.subarray(exifName.length))
    const end = marker === startOfScan ? endOfScan(bytes, next) : next
    segments.push({ marker, whole: bytes.subarray(at, end), data })
    at = end
    if (marker !== startOfScan) continue
    countScan()
    scans += 1
  }
  if (!size || scans === 0) throw invalidFile('media_damaged', 'is a JPEG without an image')
  return { end: at + 2, size: uprightSize(size, orientation), orientation, segments }
}

const segmentOf = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(2 + data.length, 2)
  return Buffer.concat([head, data])
}

/** The density of pixels, without a thumbnail (JFIF 1.02). */
const cleanJfif = (data: Buffer): Buffer => {
  const density = Buffer.from(data.subarray(0, 14))
  density.fill(0, 12)
  return segmentOf(app0, density)
}

/** The start and the length of what defines how pixels are shown; the rest of such a segment is not read. */
const cleaned: readonly [marker: number, start: string, clean: (data: Buffer) => Buffer][] = [
  [app0, 'JFIF\0', cleanJfif],
  [app2, 'ICC_PROFILE\0', (data) => segmentOf(app2, data)],
  // The color transform (ITU T.872, 6.5.3).
  [app14, 'Adobe', (data) => segmentOf(app14, data.subarray(0, 12))],
]

/** Application data and comments; every other segment is part of the image. */
const isBeside = (marker: number) => (marker & 0xf0) === app0 || marker === comment

/** The parts of a JPEG without metadata, thumbnails, and further images, but with its orientation. */
const cleanSegments = (segments: readonly Segment[], orientation: number): Buffer[] => {
  const exifAt = segments.findIndex(({ marker, data }) => isExif(marker, data))
  return segments.flatMap(({ marker, whole, data }, n) => {
    if (n === exifAt && orientation !== 1) {
      return [segmentOf(app1, Buffer.concat([Buffer.from(exifName), orientationBlock(orientation)]))]
    }
    if (!isBeside(marker)) return [whole]
    const [, , clean] =
      cleaned.find(([id, start]) => id === marker && data.toString('latin1', 0, start.length) === start) ?? []
    return clean === undefined ? [] : [clean(data)]
  })
}

const maxPieces = 64

/**
 * The start of a Samsung camera's trailer: "SEFT" at the very end, before it the length of the directory "SEFH", whose
 * entries hold the offsets of their data (ExifTool, Samsung.pm, read 2026-11-22).
 */
const samsungStart = (rest: Buffer): number | undefined => {
  if (rest.length < 20 || rest.toString('latin1', rest.length - 4) !== 'SEFT') return undefined
  const directory = rest.length - 8 - rest.readUInt32LE(rest.length - 8)
  if (directory < 0 || rest.toString('latin1', directory, directory + 4) !== 'SEFH') return undefined
  const count = rest.readUInt32LE(directory + 8)
  let furthest = 0
  for (let n = 0; n < count; n += 1) {
    const at = directory + 12 + n * 12
    if (at + 12 > rest.length - 8) return undefined
    furthest = Math.max(furthest, rest.readUInt32LE(at + 4))
  }
  return furthest <= directory ? directory - furthest : undefined
}

/** The end of the consecutive video boxes that start here. */
const endOfVideo = (bytes: Buffer): number => {
  let at = 0
  for (let n = 0; at + 8 <= bytes.length && isBoxType(bytes.toString('latin1', at + 4, at + 8)); n += 1) {
    if (n === maxParts.boxes) return 0
    const length = bytes.readUInt32BE(at)
    const isLarge = length === 1 && at + 16 <= bytes.length
    const size = isLarge ? Number(bytes.readBigUInt64BE(at + 8)) : length
    if (size < 8 || at + size > bytes.length) return at
    at += size
  }
  return at
}

const endOfPiece = (bytes: Buffer): number => {
  if (bytes.readUIntBE(0, 3) === 0xffd8ff) return walkJpeg(bytes).end
  return bytes.toString('latin1', 4, 8) === 'ftyp' ? endOfVideo(bytes) : 0
}

const withoutPadding = (bytes: Buffer) => {
  const start = bytes.findIndex((byte) => byte !== 0)
  return start < 0 ? bytes.subarray(bytes.length) : bytes.subarray(start)
}

/** A video starts with its length, whose first bytes are zeros: they are not padding. */
const skipPadding = (bytes: Buffer) =>
  bytes.length >= 8 && bytes.toString('latin1', 4, 8) === 'ftyp' ? bytes : withoutPadding(bytes)

const isTolerated = (rest: Buffer): boolean => {
  let left = rest.subarray(0, samsungStart(rest))
  for (let n = 0; n < maxPieces; n += 1) {
    left = skipPadding(left)
    if (left.length === 0) return true
    const end = left.length < 8 ? 0 : endOfPiece(left)
    if (end === 0) return false
    left = left.subarray(end)
  }
  return false
}

const isKnown = (rest: Buffer): boolean => {
  try {
    return isTolerated(rest)
  } catch {
    // Data that starts like a JPEG but is not one is treated like any other unknown bytes.
    return false
  }
}

/**
 * The data that may follow a JPEG's end: what phones write there, smaller JPEGs, the video of a motion photo, vendor
 * data. Anything that another program would read as a file of its type is rejected, because it could be one in disguise.
 */
const assertJpegTrailer = (rest: Buffer): void => {
  if (!isKnown(rest)) assertTrailer('JPEG', rest)
}

/**
 * The size in which a JPEG is shown; throws if unknown data follows it. Keeps the image, its orientation, its color, and its
 * density, and nothing after its end.
 */
export const readJpeg = (bytes: Buffer): ReadImage => {
  const { end, size, orientation, segments } = walkJpeg(bytes)
  assertJpegTrailer(bytes.subarray(end))
  const ends = [bytes.subarray(0, 2), bytes.subarray(end - 2, end)] as const
  return { info: size, cleaned: [ends[0], ...cleanSegments(segments, orientation), ends[1]] }
}
