import { dayMs } from '../../time.ts'
import { maxParts } from './bounds.ts'
import { boxesIn, boxIn, boxUnder } from './box.ts'
import { assertSize, type MediaInfo, type Size } from './info.ts'
import { counter, invalidFile } from './invalid-file.ts'
import { type Track, videoInfoOf } from './track-info.ts'

/** The total duration of the samples of a track, from `stts` (ISO 14496-12, 8.6.1.2); undefined if there are none. */
const sampleTicks = (table: Buffer | undefined): number | undefined => {
  if (table === undefined || table.length < 8) return undefined
  const runs = table.readUInt32BE(4)
  if (8 + runs * 8 > table.length) throw invalidFile('media_damaged', 'is a video whose sample table is cut off')
  let samples = 0
  let ticks = 0
  for (let n = 0; n < runs; n += 1) {
    const count = table.readUInt32BE(8 + n * 8)
    samples += count
    ticks += count * table.readUInt32BE(12 + n * 8)
  }
  return samples === 0 ? undefined : ticks
}

const damaged = (what: string) => invalidFile('media_damaged', `is a video ${what}`)

/** Longer than any platform accepts, and than a request can declare. */
const longestMs = dayMs

/** Ticks per second and a number of ticks, as in `mvhd` and `mdhd`: four bytes each, or eight (ISO 14496-12, 8.2.2). */
const readClock = (header: Buffer | undefined) => {
  const isLong = header?.[0] === 1
  if (header === undefined || header.length < (isLong ? 32 : 20)) throw damaged('without its time scale')
  const perSecond = header.readUInt32BE(isLong ? 20 : 12)
  const ticks = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  // All bits set: unknown.
  const isKnown = ticks < (isLong ? 2 ** 64 - 1 : 0xffffffff)
  return { perSecond, ticks: isKnown ? ticks : 0 }
}

const millis = (ticks: number, perSecond: number) => (perSecond > 0 ? Math.round((ticks * 1000) / perSecond) : 0)

/** The size and the transformation matrix in `tkhd` (ISO 14496-12, 8.3.2). */
const readTrackHeader = (header: Buffer | undefined) => {
  const isLong = header?.[0] === 1
  if (header === undefined || header.length < (isLong ? 96 : 84)) throw damaged('with a track without a header')
  const matrix = isLong ? 52 : 40
  const isTurned = Math.abs(header.readInt32BE(matrix + 4)) > Math.abs(header.readInt32BE(matrix))
  const width = header.readUInt32BE(matrix + 36) / 65_536
  const height = header.readUInt32BE(matrix + 40) / 65_536
  return { isTurned, width, height, ticks: isLong ? Number(header.readBigUInt64BE(28)) : header.readUInt32BE(20) }
}

/** The size of the encoded frames, for tracks without a size in their header (ISO 14496-12, 12.1.3). */
const codedSize = (samples: Buffer): Partial<Size> => {
  const entry = boxIn(samples, 'stsd')?.subarray(8)
  if (entry === undefined || entry.length < 36) throw damaged('that does not name its codec')
  return { width: entry.readUInt16BE(32), height: entry.readUInt16BE(34) }
}

const shownSize = (track: Buffer, samples: Buffer): Size => {
  const { isTurned, ...header } = readTrackHeader(boxIn(track, 'tkhd'))
  const coded = codedSize(samples)
  const [width, height] = [Math.round(header.width) || coded.width || 0, Math.round(header.height) || coded.height || 0]
  return isTurned ? assertSize(height, width) : assertSize(width, height)
}

/** A video track has a size. */
interface SizedTrack extends Track {
  size: Size | undefined
}

/** A track by the samples that it contains; undefined if it has none. An edit list may show fewer of them. */
const readTrack = (track: Buffer, moviePerSecond: number): SizedTrack | undefined => {
  const media = boxIn(track, 'mdia') ?? Buffer.alloc(0)
  const samples = boxUnder(media, 'minf', 'stbl') ?? Buffer.alloc(0)
  const ticks = sampleTicks(boxIn(samples, 'stts'))
  if (ticks === undefined) return undefined
  const { perSecond } = readClock(boxIn(media, 'mdhd'))
  const edits = boxUnder(track, 'edts', 'elst')
  const shown = edits ? millis(readTrackHeader(boxIn(track, 'tkhd')).ticks, moviePerSecond) : 0
  const kind = boxIn(media, 'hdlr')?.toString('latin1', 8, 12)
  return {
    kind,
    samples,
    perSecond,
    ticks,
    edits,
    durationMs: shown || millis(ticks, perSecond),
    size: kind === 'vide' ? shownSize(track, samples) : undefined,
  }
}

/**
 * What the index of a video (the box `moov`) contains about it, with the rotation applied; `file` is what surrounds the
 * index.
 */
export const readMovie = (movie: Buffer, file: { bytes: number; hasIndexFirst: boolean }): MediaInfo => {
  const { perSecond, ticks } = readClock(boxIn(movie, 'mvhd'))
  const countTrack = counter(maxParts.tracks, `is a video with more than ${maxParts.tracks} tracks`)
  const tracks: SizedTrack[] = []
  for (const { type, content } of boxesIn(movie)) {
    if (type !== 'trak') continue
    countTrack()
    const track = readTrack(content, perSecond)
    if (track) tracks.push(track)
  }
  if (tracks.length === 0 && boxIn(movie, 'mvex')) throw invalidFile('media_fragmented', 'is a fragmented video')
  const shown = tracks.find((track) => track.size)
  if (shown?.size === undefined) throw invalidFile('media_no_video', 'has no video track')
  const durationMs = Math.max(...tracks.map((track) => track.durationMs)) || millis(ticks, perSecond)
  if (durationMs > longestMs) throw damaged('with a duration of more than a day')
  const video = videoInfoOf(tracks, shown, { ...file, moviePerSecond: perSecond, durationMs })
  return { ...shown.size, ...(durationMs > 0 ? { durationMs } : {}), video }
}
