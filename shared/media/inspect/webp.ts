import { assertTrailer, maxParts } from './bounds.ts'
import { orientationBlock, orientationIn, uprightSize } from './exif.ts'
import { assertSize, motionOf, type ReadImage, type Size } from './info.ts'
import { counter, invalidFile, truncated } from './invalid-file.ts'

const damaged = (what: string) => invalidFile('media_damaged', `is a WebP ${what}`)
const startCode = 0x9d012a
const frameHeaderBytes = 16

/** A key frame of VP8 (RFC 6386, 9.1). */
const lossySize = (data: Buffer): Size => {
  if (data.length < 10) throw damaged('without its image data')
  const isKeyFrame = (data.readUInt8(0) & 1) === 0
  if (!isKeyFrame || data.readUIntBE(3, 3) !== startCode) throw damaged('that does not start with a key frame')
  return assertSize(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff)
}

/** Two 14-bit numbers, each one less than its side (RFC 9649, 3.4). */
const losslessSize = (data: Buffer): Size => {
  if (data.length < 5 || data.readUInt8(0) !== 0x2f) throw damaged('without the signature of its image data')
  const bits = data.readUInt32LE(1)
  return assertSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}

/** The canvas of the extended format (RFC 9649, 2.7). */
const extendedSize = (data: Buffer): Size => {
  if (data.length < 10) throw damaged('without its canvas')
  return assertSize(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1)
}

const forms: Readonly<Record<string, (data: Buffer) => Size>> = {
  'VP8 ': lossySize,
  VP8L: losslessSize,
  VP8X: extendedSize,
}

/** Rejects an image that is larger than its canvas: readers rely on the size of the canvas. */
const assertWithin = (canvas: Size, width: number, height: number) => {
  if (width > canvas.width || height > canvas.height) throw damaged('with an image that is larger than its canvas')
}

/**
 * The duration of a frame, which follows its offset in steps of two pixels and its size minus one (RFC 9649, 2.7.1.1).
 */
const readFrame = (canvas: Size, data: Buffer): number => {
  const [left, top] = [data.readUIntLE(0, 3) * 2, data.readUIntLE(3, 3) * 2]
  assertWithin(canvas, left + data.readUIntLE(6, 3) + 1, top + data.readUIntLE(9, 3) + 1)
  return data.readUIntLE(12, 3)
}

function* chunksOf(riff: Buffer, from: number): Generator<{ type: string; data: Buffer }> {
  for (let at = from; at + 8 <= riff.length; ) {
    const length = riff.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (end > riff.length) throw truncated('WebP')
    yield { type: riff.toString('latin1', at, at + 4), data: riff.subarray(at + 8, end) }
    // Chunks start at even offsets.
    at = end + (length % 2)
  }
}

const chunkOf = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

const pictures = ['VP8 ', 'VP8L', 'ALPH']
const others = ['ANIM', 'ICCP']

/** A frame with only its picture (RFC 9649, 2.7.1.1). */
const cleanFrame = (data: Buffer): Buffer => {
  const inside = [...chunksOf(data, frameHeaderBytes)].filter(({ type }) => pictures.includes(type))
  return chunkOf('ANMF', data.subarray(0, frameHeaderBytes), ...inside.map((part) => chunkOf(part.type, part.data)))
}

const exifFlag = 0x08
const xmpFlag = 0x04

/** The header of the extended format: of metadata it announces the orientation, if that is cleaned (RFC 9649, 2.7). */
const cleanHeader = (data: Buffer, hasExif: boolean): Buffer => {
  const header = Buffer.from(data)
  header.writeUInt8((header.readUInt8(0) & ~(exifFlag | xmpFlag)) | (hasExif ? exifFlag : 0))
  return chunkOf('VP8X', header)
}

/** The parts of a WebP without metadata, but with its orientation. */
const cleanChunks = (bytes: Buffer, orientation: number): Buffer[] => {
  const isTurned = orientation !== 1
  const chunks = [...chunksOf(bytes, 12)].flatMap(({ type, data }) => {
    if (type === 'VP8X') return [cleanHeader(data, isTurned)]
    if (type === 'ANMF' && data.length >= frameHeaderBytes) return [cleanFrame(data)]
    return pictures.includes(type) || others.includes(type) ? [chunkOf(type, data)] : []
  })
  if (isTurned) chunks.push(chunkOf('EXIF', orientationBlock(orientation)))
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4)
  return [head, ...chunks]
}

/** The properties of a WebP; its first chunk tells which of three formats it has. Keeps its pictures, colors, and motion. */
export const readWebp = (bytes: Buffer): ReadImage => {
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) throw truncated('WebP')
  let size: Size | undefined
  const countFrame = counter(maxParts.frames, `is a WebP with more than ${maxParts.frames} frames`)
  const countOther = counter(
    maxParts.otherChunks,
    `is a WebP with more than ${maxParts.otherChunks} chunks beside its frames`,
  )
  const seen = { images: 0, frames: 0, durationMs: 0, orientation: 1 }
  for (const { type, data } of chunksOf(bytes.subarray(0, end), 12)) {
    if (type === 'ANMF') countFrame()
    else countOther()
    const own = forms[type]?.(data)
    size ??= own
    if (!size) throw damaged('of an unknown form')
    if (own) assertWithin(size, own.width, own.height)
    if (type === 'VP8 ' || type === 'VP8L') seen.images += 1
    if (type === 'EXIF')
      seen.orientation = orientationIn(data.subarray(data.toString('latin1', 0, 4) === 'Exif' ? 6 : 0))
    if (type !== 'ANMF' || data.length < frameHeaderBytes) continue
    seen.frames += 1
    seen.durationMs += readFrame(size, data)
  }
  if (!size || seen.images + seen.frames === 0) throw damaged('without an image')
  assertTrailer('WebP', bytes.subarray(end + (end % 2)))
  const info = { ...uprightSize(size, seen.orientation), ...motionOf(size, seen.frames, seen.durationMs) }
  return { info, cleaned: cleanChunks(bytes.subarray(0, end), seen.orientation) }
}
