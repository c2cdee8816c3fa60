import type { Piece, Range } from '../../aws/multipart.ts'
import { boxAt, isBoxType } from '../inspect/box.ts'
import type { Source } from '../inspect/source.ts'
import { readMovie } from '../inspect/video-index.ts'
import { canBecomeMp4, type VideoForm } from '../video-form.ts'
import type { VideoInfo } from '../video-info.ts'
import { rebuildMovie } from './movie.ts'
import { box, CannotRemux } from './write.ts'

/** A new file: bytes, followed by ranges of the old file. */
interface RemuxPlan {
  pieces: readonly Piece[]
}

/** A complete box `mdat`, and the start of its content. */
interface MediaData extends Range {
  contentFrom: number
}

/** The parts of an inspected video (`inspect/video.ts`); everything else at its top level is padding or private. */
const readParts = async (source: Source) => {
  let [brands, index]: (Buffer | undefined)[] = []
  const data: MediaData[] = []
  for (let at = 0; at + 8 <= source.size; ) {
    const head = await source.read(at, at + 16)
    if (!isBoxType(head.toString('latin1', 4, 8))) break
    const { type, start, end } = boxAt(head, at, source.size)
    if (end < start || end > source.size) break
    if (type === 'ftyp') brands ??= await source.read(start, end)
    if (type === 'moov') index ??= await source.read(start, end)
    if (type === 'mdat') data.push({ from: at, contentFrom: start, to: end })
    at = end
  }
  if (brands === undefined || index === undefined) throw new CannotRemux('has no brands or no index')
  return { brands, index, data }
}

/** The brands of an MP4 (ISO 14496-12, annex E): version 512, as widely written. */
const mp4Brands = ({ codec }: Partial<VideoInfo>) =>
  Buffer.from(`isom\0\0\u0002\0isomiso2${codec === 'h264' ? 'avc1' : ''}mp41`, 'latin1')

/** The position of a chunk after the media data were moved (ISO 14496-12, 8.7.5). */
const shiftOf = (data: readonly MediaData[], headBytes: number) => {
  let next = headBytes
  const moved = data.map((range) => {
    const by = next - range.from
    next += range.to - range.from
    return { ...range, by }
  })
  return (offset: number): number => {
    const range = moved.find(({ contentFrom, to }) => offset >= contentFrom && offset <= to)
    if (range === undefined) throw new CannotRemux('has samples outside of its media data')
    return offset + range.by
  }
}

/**
 * Plans a video in another form (ISO 14496-12): its brands and a new index, followed by its media data, byte for byte.
 * Throws `CannotRemux`, or a refusal of the inspection.
 */
export const planRemux = async (source: Source, form: VideoForm): Promise<RemuxPlan> => {
  const { brands, index, data } = await readParts(source)
  const { video } = readMovie(index, { bytes: source.size, hasIndexFirst: false })
  const isMajorQuickTime = brands.toString('latin1', 0, 4) === 'qt  '
  const toMp4 = form.container === 'mp4' && isMajorQuickTime
  if (toMp4 && !canBecomeMp4(video)) throw new CannotRemux('has streams that an MP4 does not take')
  const withoutEdits = form.editLists === false && video?.editLists === 'whole'
  const file = box('ftyp', toMp4 ? mp4Brands(video ?? {}) : brands)
  const rebuild = (shift: (offset: number) => number) =>
    Buffer.concat([file, box('moov', rebuildMovie(index, { toMp4, withoutEdits, shift }))])
  // Offsets have the same length whatever they are: files have at most 1 GiB (media/types.ts), so 32 bits are enough.
  const headBytes = rebuild((offset) => offset).length
  return { pieces: [rebuild(shiftOf(data, headBytes)), ...data.map(({ from, to }) => ({ from, to }))] }
}
