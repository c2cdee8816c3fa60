import { Refusal } from '../../errors/refusal.ts'
import type { EditListKind, VideoInfo } from '../video-info.ts'
import { boxIn } from './box.ts'
import { audioInfoOf, videoChromaOf, videoCodecOf, videoProfileOf } from './codecs.ts'

/** A track of a video with its tables, from which its properties are read. */
export interface Track {
  durationMs: number
  kind: string | undefined
  /** The box `stbl`. */
  samples: Buffer
  /** Ticks of the track per second, and how many its samples have together. */
  perSecond: number
  ticks: number
  /** The box `elst`, if it has one. */
  edits: Buffer | undefined
}

/** The values of a damaged table are unknown: the video itself may be fine, and platforms have the last word. */
const unlessDamaged = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    // A read past the end of a buffer, or a box that exceeds its bounds.
    if (error instanceof RangeError || error instanceof Refusal) return undefined
    throw error
  }
}

/** No camera is faster; a higher value is damaged. */
const maxFramesPerSecond = 1000
const tolerance = 0.1

/**
 * Frames and their times from `stts` (ISO 14496-12, 8.6.1.2). The last frame is left out: its duration depends on the
 * encoder.
 */
const frameRateOf = ({ samples, perSecond }: Track): Partial<VideoInfo> => {
  const table = boxIn(samples, 'stts') ?? Buffer.alloc(0)
  const runs = table.readUInt32BE(4)
  let [frames, ticks, shortest, longest] = [0, 0, Number.POSITIVE_INFINITY, 0]
  for (let n = 0; n < runs; n += 1) {
    const count = table.readUInt32BE(8 + n * 8) - (n === runs - 1 ? 1 : 0)
    const each = table.readUInt32BE(12 + n * 8)
    if (count <= 0) continue
    frames += count
    ticks += count * each
    shortest = Math.min(shortest, each)
    longest = Math.max(longest, each)
  }
  const average = ticks / frames
  const framesPerSecond = Number((perSecond / average).toFixed(3))
  if (frames === 0 || !(framesPerSecond > 0 && framesPerSecond <= maxFramesPerSecond)) return {}
  const differs = shortest < average * (1 - tolerance) || longest > average * (1 + tolerance)
  return { framesPerSecond, hasVariableFrameRate: differs }
}

/** The bytes of all samples of a track, from `stsz` (ISO 14496-12, 8.7.3.2). */
const sampleBytes = ({ samples }: Track): number | undefined => {
  const table = boxIn(samples, 'stsz')
  if (table === undefined) return undefined
  const [each, count] = [table.readUInt32BE(4), table.readUInt32BE(8)]
  if (each > 0) return each * count
  const sizes = table.subarray(12)
  if (sizes.length < count * 4) return undefined
  let bytes = 0
  for (let at = 0; at < count * 4; at += 4) bytes += sizes.readUInt32BE(at)
  return bytes
}

const bitsPerSecond = (bytes: number | undefined, seconds: number, max: number): number | undefined =>
  bytes === undefined || bytes > max || !(seconds > 0) ? undefined : Math.round((bytes * 8) / seconds)

/** One entry of an edit list in seconds; a start of less than zero shows nothing (ISO 14496-12, 8.6.6.3). */
const readEdit = (list: Buffer, n: number, moviePerSecond: number, perSecond: number) => {
  const isLong = list.readUInt8(0) === 1
  const at = 8 + n * (isLong ? 20 : 12)
  const shown = isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at)
  const start = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4)
  const speed = list.readInt32BE(at + (isLong ? 16 : 8)) / 65_536
  return { shownSeconds: shown / moviePerSecond, startSeconds: start / perSecond, speed }
}

const offsetSeconds = 0.25

/** The effect of a track's edit list. */
const editListOf = ({ edits, perSecond, ticks }: Track, moviePerSecond: number): EditListKind => {
  const count = edits?.readUInt32BE(4) ?? 0
  if (edits === undefined || count === 0) return 'none'
  if (count > 2) return 'cut'
  const first = readEdit(edits, 0, moviePerSecond, perSecond)
  const delays = first.startSeconds < 0
  if (delays !== (count === 2)) return 'cut'
  const { shownSeconds, startSeconds, speed } = delays ? readEdit(edits, 1, moviePerSecond, perSecond) : first
  if (speed !== 1 || startSeconds < 0) return 'cut'
  const tick = 1 / moviePerSecond + 1 / perSecond
  // No duration: to the end.
  const leftOut = shownSeconds === 0 ? 0 : ticks / perSecond - startSeconds - shownSeconds
  const max = Math.max(delays ? first.shownSeconds : 0, startSeconds, leftOut)
  if (!delays && startSeconds === 0 && leftOut <= tick) return 'whole'
  return max <= offsetSeconds ? 'offset' : 'cut'
}

const worst = (kinds: readonly EditListKind[]): EditListKind =>
  (['cut', 'offset', 'whole'] as const).find((kind) => kinds.includes(kind)) ?? 'none'

/** Omits unknown values, and numbers that no row can store: infinite ones, and those above 2^53. */
const known = (info: { [K in keyof VideoInfo]?: VideoInfo[K] | undefined }) => {
  const isKnown = (value: unknown) =>
    typeof value === 'number' ? value <= Number.MAX_SAFE_INTEGER : value !== undefined
  return Object.fromEntries(Object.entries(info).filter(([, value]) => isKnown(value))) as Partial<VideoInfo>
}

/**
 * What the tables of a video contain about its streams: its first video track and its first audio track. A table that is
 * damaged, or that contains impossible values, is unknown; the work is bounded by the length of the index.
 */
export const videoInfoOf = (
  tracks: readonly Track[],
  video: Track,
  file: { moviePerSecond: number; bytes: number; durationMs: number; hasIndexFirst: boolean },
): VideoInfo => {
  const sound = tracks.find(({ kind }) => kind === 'soun')
  const { samples, ticks, perSecond } = video
  const bytes = unlessDamaged(() => sampleBytes(video))
  return {
    ...known({
      ...unlessDamaged(() => videoCodecOf(samples)),
      ...unlessDamaged(() => videoProfileOf(samples)),
      ...unlessDamaged(() => videoChromaOf(samples)),
      ...unlessDamaged(() => frameRateOf(video)),
      videoBitsPerSecond: bitsPerSecond(bytes, ticks / perSecond, file.bytes),
      totalBitsPerSecond: bitsPerSecond(file.bytes, file.durationMs / 1000, file.bytes),
      ...(sound && unlessDamaged(() => audioInfoOf(sound.samples))),
    }),
    hasIndexFirst: file.hasIndexFirst,
    editLists: worst(tracks.map((track) => unlessDamaged(() => editListOf(track, file.moviePerSecond)) ?? 'cut')),
  }
}
