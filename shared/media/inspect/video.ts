import type { Piece } from '../../aws/multipart.ts'
import { counted } from '../../text/counting.ts'
import { assertEnd, isPadding } from './bounds.ts'
import { type Box, boxAt, isBoxType } from './box.ts'
import type { MediaInfo } from './info.ts'
import { invalidFile, truncated } from './invalid-file.ts'
import type { Source } from './source.ts'
import { readMovie } from './video-index.ts'
import { cleanPieces, type VideoPart } from './video-pieces.ts'

const format = 'video'

/** The index of an hour of video has about 2 MB; no accepted video is longer than a day. */
const maxIndexBytes = 32 * 1024 * 1024
const maxPaddingBytes = 65_536

/** Boxes at the top level of a video. Boxes of unused types can come in any order, up to this number. */
const maxBoxes = 100

const readIndex = async (source: Source, { start, end }: Box): Promise<Buffer> => {
  if (end - start > maxIndexBytes) throw invalidFile('media_damaged', 'is a video with an index of impossible length')
  return source.read(start, end)
}

/** Requires that bytes that are not a box are the zeros that some recorders write. */
const assertRest = async (source: Source, at: number) => {
  const rest = source.size - at
  if (rest > maxPaddingBytes) {
    const head = await source.read(at, at + 16)
    if (!isPadding(head)) assertEnd(format, head)
    throw invalidFile('media_damaged', `is a video with ${counted(rest, 'byte')} after its end`)
  }
  assertEnd(format, await source.read(at, source.size))
}

/** The properties of a video, and its parts without metadata. */
interface ReadVideo {
  info: MediaInfo
  pieces: readonly Piece[]
}

/**
 * Walks the top-level boxes of a video (ISO 14496-12, 4.2) and reads only its index, wherever it is, but no frames and
 * no sound. Decided: fragmented videos are rejected, because platforms reject them.
 */
export const readVideo = async (source: Source): Promise<ReadVideo> => {
  let info: MediaInfo | undefined
  let index: VideoPart | undefined
  let movie: Buffer = Buffer.alloc(0)
  const parts: VideoPart[] = []
  let hasMediaData = false
  let at = 0
  for (let n = 0; at < source.size; n += 1) {
    if (n === maxBoxes) throw invalidFile('media_damaged', `is a video with more than ${maxBoxes} parts`)
    const head = await source.read(at, Math.min(at + 16, source.size))
    const isWhole = info !== undefined && hasMediaData
    if (head.length < 8 && !isWhole) throw truncated(format)
    if (head.length < 8 || !isBoxType(head.toString('latin1', 4, 8))) {
      await assertRest(source, at)
      break
    }
    const part = { ...boxAt(head, at, source.size), at, head }
    const { type, start, end } = part
    if (end < start) throw invalidFile('media_damaged', 'is a video with a box of impossible length')
    // A complete video has no further parts that could be cut off: these bytes are something else.
    if (end > source.size && (!isWhole || type === 'mdat')) throw truncated(format)
    if (end > source.size) assertEnd(format, head)
    if (type === 'moof') throw invalidFile('media_fragmented', 'is a fragmented video')
    if (type === 'mdat') hasMediaData = true
    if (type === 'moov' && index === undefined) {
      movie = await readIndex(source, part)
      info = readMovie(movie, { bytes: source.size, hasIndexFirst: !hasMediaData })
      index = part
    }
    if (end <= source.size) parts.push(part)
    at = end
  }
  if (info === undefined || index === undefined) throw truncated(`${format} without its index (moov)`)
  if (!hasMediaData) throw truncated(`${format} without its media data (mdat)`)
  return { info, pieces: cleanPieces(source, parts, index, movie) }
}
