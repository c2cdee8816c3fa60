import { crc32 } from 'node:zlib'
import { assertTrailer, maxParts } from './bounds.ts'
import { orientationBlock, orientationIn, uprightSize } from './exif.ts'
import { assertSize, motionOf, type ReadImage, type Size } from './info.ts'
import { counter, invalidFile, truncated } from './invalid-file.ts'

const damaged = (what: string) => invalidFile('media_damaged', `is a PNG ${what}`)

interface Chunk {
  type: string
  data: Buffer
  /** The chunk with its length and checksum. */
  whole: Buffer
  end: number
}

/** A chunk with a verified checksum (W3C PNG, 5.3). */
const chunkAt = (bytes: Buffer, at: number): Chunk => {
  if (at + 12 > bytes.length) throw truncated('PNG')
  const length = bytes.readUInt32BE(at)
  if (length > 0x7fffffff) throw damaged('with a chunk of impossible length')
  const end = at + 12 + length
  const type = bytes.toString('latin1', at + 4, at + 8)
  if (!/^[A-Za-z]{4}$/.test(type)) throw damaged('with stray bytes between its chunks')
  if (end > bytes.length) throw truncated('PNG')
  if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
    throw damaged(`whose chunk ${type} has a wrong checksum`)
  }
  return { type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end), end }
}

const headerBytes = 13

const readHeader = ({ type, data }: Chunk): Size => {
  if (type !== 'IHDR' || data.length !== headerBytes) throw damaged('without a header')
  return assertSize(data.readUInt32BE(0), data.readUInt32BE(4), data[8] === 16 ? 2 : 1)
}

/** The duration of an animation frame (APNG, `fcTL`): a fraction of a second, in hundredths by default. */
const delayMs = (data: Buffer): number =>
  data.length < 24 ? 0 : (data.readUInt16BE(20) * 1000) / (data.readUInt16BE(22) || 100)

/** Counts the chunks of a PNG by kind: frames, image data, and others. */
const countChunks = () => {
  const countFrame = counter(maxParts.frames, `is a PNG with more than ${maxParts.frames} frames`)
  const countPiece = counter(
    maxParts.imageChunks,
    `is a PNG with more than ${maxParts.imageChunks} chunks of image data`,
  )
  const countOther = counter(
    maxParts.otherChunks,
    `is a PNG with more than ${maxParts.otherChunks} chunks beside its image data`,
  )
  return (type: string) => {
    if (type === 'fcTL') countFrame()
    else if (type === 'IDAT' || type === 'fdAT') countPiece()
    else countOther()
  }
}

const chunkOf = (type: string, data: Buffer): Buffer => {
  const [length, checksum, body] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(type), data])]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/**
 * The chunks, in addition to the critical ones, that define how pixels are shown: color, transparency, density, and motion
 * (W3C PNG, 11.3).
 */
const shown = 'tRNS gAMA cHRM sRGB iCCP sBIT cICP mDCV cLLI bKGD hIST pHYs acTL fcTL fdAT'.split(' ')

/** Critical chunks begin with a capital letter (W3C PNG, 5.4). */
const isVisible = (type: string) => /^[A-Z]/.test(type) || shown.includes(type)

/** Reads a PNG, and keeps no text, no time, and only the orientation of its Exif data. */
export const readPng = (bytes: Buffer): ReadImage => {
  const first = chunkAt(bytes, 8)
  const size = readHeader(first)
  const seen = { images: 0, frames: 0, durationMs: 0, orientation: 1 }
  const count = countChunks()
  const cleaned = [bytes.subarray(0, first.end)]
  let chunk = first
  while (chunk.type !== 'IEND') {
    chunk = chunkAt(bytes, chunk.end)
    count(chunk.type)
    if (chunk.type === 'IDAT') seen.images += 1
    if (chunk.type === 'eXIf') {
      seen.orientation = orientationIn(chunk.data)
      if (seen.orientation !== 1) cleaned.push(chunkOf('eXIf', orientationBlock(seen.orientation)))
    }
    if (isVisible(chunk.type)) cleaned.push(chunk.whole)
    if (chunk.type !== 'fcTL') continue
    seen.frames += 1
    seen.durationMs += delayMs(chunk.data)
  }
  if (seen.images === 0) throw damaged('without an image')
  assertTrailer('PNG', bytes.subarray(chunk.end))
  const info = { ...uprightSize(size, seen.orientation), ...motionOf(size, seen.frames, seen.durationMs) }
  return { info, cleaned }
}
