import type { Piece, Range } from '../../aws/multipart.ts'
import { isPadding } from './bounds.ts'
import type { Box } from './box.ts'
import { cleanMovie } from './clean-movie.ts'
import { invalidFile } from './invalid-file.ts'
import type { Source } from './source.ts'

/** A box at the top level of a video: the start of its header, and its bytes. */
export interface VideoPart extends Box {
  at: number
  head: Buffer
}

/** A range of a video, and its replacement of the same length. */
interface Replaced extends Range {
  by: readonly Uint8Array[]
}

const mebibyte = 2 ** 20
const zeros = Buffer.alloc(8 * mebibyte)
const zerosOf = (count: number): Uint8Array[] => [
  ...Array.from({ length: Math.floor(count / zeros.length) }, () => zeros),
  zeros.subarray(0, count % zeros.length),
]

/** Decided: at most this much of a video is replaced by zeros: they are sent to S3, while the rest is copied there. */
const maxBlankBytes = 256 * mebibyte

/** Whether a part is free space without content, as far as the first bytes of the file show. */
const isEmpty = ({ start: first }: Source, { type, start, end }: VideoPart): boolean =>
  ['free', 'skip', 'wide'].includes(type) && end <= first.length && isPadding(first.subarray(start, end))

/** A part as free space of the same length, so that nothing after it moves. */
const blankPart = ({ at, start, end, head }: VideoPart): Replaced => {
  const header = Buffer.from(head.subarray(0, start - at))
  header.write('free', 4, 'latin1')
  return { from: at, to: end, by: [header, ...zerosOf(end - start)] }
}

/** Ranges in order; those that touch or overlap are one. */
const merged = (ranges: readonly Range[]): Range[] => {
  const list: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = list.at(-1)
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else if (range.to > range.from) list.push({ ...range })
  }
  return list
}

/** The least that S3 copies or accepts in one part (S3 guide, "Amazon S3 multipart upload limits"). */
const partBytes = 5 * mebibyte
/**
 * Decided: the number of bytes that can be sent again within the time of a request, to overwrite data among pictures and
 * sound.
 */
const maxSentBytes = 96 * mebibyte

/**
 * The data of removed tracks within the media data. Each range costs a part of an upload; if all of them cost too much, they
 * stay, and nothing refers to them.
 */
const blankSamples = (samples: readonly Range[], media: readonly VideoPart[]): Replaced[] => {
  const within = merged(samples).flatMap((range) =>
    media.flatMap(({ start, end }) => {
      const [from, to] = [Math.max(start, range.from), Math.min(end, range.to)]
      return from < to ? [{ from, to }] : []
    }),
  )
  const sent = merged(within.map(({ from, to }) => ({ from, to: to + partBytes })))
  const sentBytes = sent.reduce((sum, { from, to }) => sum + to - from, 0)
  return sentBytes > maxSentBytes ? [] : within.map(({ from, to }) => ({ from, to, by: zerosOf(to - from) }))
}

/**
 * A video without metadata about location, device, and person: ranges of the original, and bytes that replace the others.
 * Pictures, sound, and their offsets are those of the original; everything after the last needed part is left out.
 */
export const cleanPieces = (
  source: Source,
  parts: readonly VideoPart[],
  index: VideoPart,
  original: Buffer,
): readonly Piece[] => {
  const media = parts.filter(({ type }) => type === 'mdat')
  const isNeeded = (part: VideoPart) => part === index || part.type === 'mdat' || part.type === 'ftyp'
  const needed = parts.slice(0, parts.findLastIndex(isNeeded) + 1)
  const { movie, samples } = cleanMovie(original)
  const others = needed.filter((part) => !isNeeded(part) && !isEmpty(source, part))
  if (others.reduce((sum, { at, end }) => sum + end - at, 0) > maxBlankBytes) {
    throw invalidFile('media_complex', `is a video with more than ${maxBlankBytes} bytes beside its pictures and sound`)
  }
  const replaced: Replaced[] = [
    ...others.map(blankPart),
    ...(movie.equals(original) ? [] : [{ from: index.start, to: index.end, by: [movie] }]),
    ...blankSamples(samples, media),
  ].toSorted((a, b) => a.from - b.from)
  const end = needed.at(-1)?.end ?? source.size
  let at = 0
  const pieces: Piece[] = []
  for (const { from, to, by } of [...replaced, { from: end, to: end, by: [] }]) {
    if (from > at) pieces.push({ from: at, to: from })
    pieces.push(...by.filter(({ length }) => length > 0))
    at = to
  }
  return pieces
}
