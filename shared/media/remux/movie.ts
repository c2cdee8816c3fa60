import { boxesIn, boxIn, boxUnder } from '../inspect/box.ts'
import { mp4SampleEntry } from './sample-entry.ts'
import { box, CannotRemux } from './write.ts'

interface Change {
  /** From QuickTime to MP4. */
  toMp4: boolean
  withoutEdits: boolean
  /** The position of a chunk of samples in the new file. */
  shift(offset: number): number
}

/** The offsets of chunks, `stco` or `co64` (ISO 14496-12, 8.7.5). */
const shiftChunks = (type: string, content: Buffer, shift: Change['shift']): Buffer => {
  const table = Buffer.from(content)
  const size = type === 'co64' ? 8 : 4
  const count = table.readUInt32BE(4)
  if (8 + count * size > table.length) throw new CannotRemux('has a table of chunks that is cut off')
  for (let n = 0, at = 8; n < count; n += 1, at += size) {
    if (size === 8) table.writeBigUInt64BE(BigInt(shift(Number(table.readBigUInt64BE(at)))), at)
    else table.writeUInt32BE(shift(table.readUInt32BE(at)), at)
  }
  return table
}

/** The codes of Macintosh languages are below this; MP4 has three letters of five bits each, here "und". */
const firstLanguage = 0x400
const undetermined = 0x55c4

const mp4Clock = (content: Buffer): Buffer => {
  const clock = Buffer.from(content)
  const at = clock.readUInt8(0) === 1 ? 32 : 20
  const language = clock.readUInt16BE(at)
  if (language < firstLanguage || language === 0x7fff) clock.writeUInt16BE(undetermined, at)
  return clock
}

/** Without the name, which QuickTime counts and MP4 ends by a zero, and without the kind of component (8.4.3). */
const mp4Handler = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.alloc(8), content.subarray(8, 12), Buffer.alloc(12), Buffer.alloc(1)])

/** The data are in the file itself (8.7.2). QuickTime marks this with an alias. */
const ownData = box(
  'dinf',
  box('dref', Buffer.from('0000000000000001', 'hex'), box('url ', Buffer.from('00000001', 'hex'))),
)

const rebuildDescriptions = (content: Buffer): Buffer => {
  const entries = [...boxesIn(content.subarray(8))]
  return Buffer.concat([content.subarray(0, 8), ...entries.map(mp4SampleEntry)])
}

/** What QuickTime has in addition to MP4, and what cameras record about themselves and the location. */
const quickTimeOnly = new Set(['udta', 'meta', 'tref', 'tapt', 'load', 'imap', 'clip', 'matt', 'ctab', 'gmhd'])

/** The boxes that are looked into, with those around them. */
const containers = new Set(['mdia', 'minf', 'stbl'])

const rebuildBox = (parent: string, type: string, content: Buffer, change: Change): Buffer => {
  const { toMp4, withoutEdits, shift } = change
  if (type === 'stco' || type === 'co64') return box(type, shiftChunks(type, content, shift))
  if (type === 'edts' && withoutEdits) return Buffer.alloc(0)
  if (toMp4) {
    if (quickTimeOnly.has(type) || (parent === 'minf' && type === 'hdlr')) return Buffer.alloc(0)
    if (type === 'dinf') return ownData
    if (type === 'mdhd') return box(type, mp4Clock(content))
    if (type === 'hdlr') return box(type, mp4Handler(content))
    if (type === 'stsd') return box(type, rebuildDescriptions(content))
  }
  return containers.has(type) ? box(type, rebuildBoxes(type, content, change)) : box(type, content)
}

const rebuildBoxes = (parent: string, content: Buffer, change: Change): Buffer =>
  Buffer.concat([...boxesIn(content)].map((each) => rebuildBox(parent, each.type, each.content, change)))

/** H.264, HEVC, and HEVC with Dolby Vision, as `codecs.ts` names them. */
const videoEntries = ['avc1', 'avc3', 'hvc1', 'hev1', 'dvh1', 'dvhe']

/** Whether an MP4 accepts a track: video and sound in the codecs of `canBecomeMp4`; no time codes, and no other sound. */
const isForMp4 = (track: Buffer): boolean => {
  const descriptions = boxUnder(track, 'mdia', 'minf', 'stbl', 'stsd')
  const types = descriptions === undefined ? [] : [...boxesIn(descriptions.subarray(8))].map(({ type }) => type)
  const kind = boxIn(boxIn(track, 'mdia') ?? Buffer.alloc(0), 'hdlr')?.toString('latin1', 8, 12)
  const accepted = kind === 'vide' ? videoEntries : kind === 'soun' ? ['mp4a'] : []
  return types.length > 0 && types.every((type) => accepted.includes(type))
}

/** The content of a new index: the old one with its changes, and with the tracks that the container accepts. */
export const rebuildMovie = (movie: Buffer, change: Change): Buffer =>
  Buffer.concat(
    [...boxesIn(movie)].map(({ type, content }) => {
      if (type !== 'trak') return rebuildBox('moov', type, content, change)
      if (change.toMp4 && !isForMp4(content)) return Buffer.alloc(0)
      return box(type, rebuildBoxes(type, content, change))
    }),
  )
