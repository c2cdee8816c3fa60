import type { Range } from '../../aws/multipart.ts'
import { boxesIn, boxIn, boxUnder } from './box.ts'

/** What an index contains about picture and sound (ISO 14496-12, 8; QuickTime File Format). All other boxes are metadata. */
const known: Readonly<Record<string, ReadonlySet<string>>> = {
  moov: new Set(['mvhd', 'trak', 'mvex', 'iods', 'ctab', 'clip']),
  trak: new Set(['tkhd', 'mdia', 'edts', 'tref', 'trgr', 'tapt', 'load', 'clip', 'matt', 'imap']),
  mdia: new Set(['mdhd', 'hdlr', 'minf', 'elng']),
  minf: new Set(['vmhd', 'smhd', 'hmhd', 'nmhd', 'sthd', 'gmhd', 'hdlr', 'dinf', 'stbl']),
  stbl: new Set(
    'stsd stts ctts cslg stsc stsz stz2 stco co64 stss stsh padb stdp sdtp sbgp sgpd subs saiz saio stps'.split(' '),
  ),
}

/**
 * Tracks of picture, of sound, and of captions in the frames. Other tracks hold what a camera records in addition, such as
 * the location.
 */
const shownKinds: readonly (string | undefined)[] = ['vide', 'soun', 'clcp']

/** Marks a video as spherical; without it, the video is not shown so (Spherical Video RFC, version 1). */
const spherical = Buffer.from('ffcc8263f8554a938814587a02521fdd', 'hex')

const isSpherical = (type: string, content: Buffer) =>
  type === 'uuid' && content.subarray(0, spherical.length).equals(spherical)

/** Turns a box into a free one of the same length, so that nothing after it moves. */
const blank = (whole: Buffer, content: Buffer): void => {
  whole.write('free', 4, 'latin1')
  content.fill(0)
}

/** When something was made, and when it was changed; with version 1 in eight bytes each (ISO 14496-12, 8.2.2). */
const clearTimes = (header: Buffer): void => {
  header.fill(0, 4, header[0] === 1 ? 20 : 12)
}

/** Who wrote a handler, and its name, such as that of a camera (ISO 14496-12, 8.4.3). */
const clearHandler = (content: Buffer): void => {
  content.fill(0, Math.min(12, content.length))
}

/** Who wrote an encoder, and its name, in the sample entries of pictures and sound (ISO 14496-12, 12.1.3 and 12.2.3). */
const clearEncoders = (descriptions: Buffer, isPicture: boolean): void => {
  for (const { content } of boxesIn(descriptions.subarray(8))) {
    if (content.length >= 16) content.fill(0, 12, 16)
    if (isPicture && content.length >= 74) content.fill(0, 42, 74)
  }
}

const clearBoxes = (parent: string, content: Buffer, isPicture = false): void => {
  for (const { type, content: inside, whole } of boxesIn(content)) {
    if (known[parent]?.has(type) === false && !isSpherical(type, inside)) blank(whole, inside)
    else if (type === 'mvhd' || type === 'tkhd' || type === 'mdhd') clearTimes(inside)
    else if (type === 'hdlr') clearHandler(inside)
    else if (type === 'stsd') clearEncoders(inside, isPicture)
    else if (type !== 'trak' && known[type] !== undefined) clearBoxes(type, inside, isPicture)
  }
}

const kindOf = (track: Buffer) => boxUnder(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12)

const idOf = (track: Buffer): number | undefined => {
  const header = boxIn(track, 'tkhd')
  const at = header?.[0] === 1 ? 20 : 12
  return header === undefined || header.length < at + 4 ? undefined : header.readUInt32BE(at)
}

/** The numbers of a table of records after its count: `each` of four bytes in a record. */
const tableOf = (table: Buffer | undefined, countAt: number): number[] => {
  if (table === undefined || table.length < countAt + 4) return []
  const from = countAt + 4
  return Array.from({ length: Math.floor((table.length - from) / 4) }, (_, n) => table.readUInt32BE(from + 4 * n))
}

const chunkOffsets = (samples: Buffer): number[] => {
  const long = boxIn(samples, 'co64')
  if (long === undefined) return tableOf(boxIn(samples, 'stco'), 4)
  return Array.from({ length: Math.floor((long.length - 8) / 8) }, (_, n) => Number(long.readBigUInt64BE(8 + 8 * n)))
}

/** Where the samples of a track lie in the file: chunks of consecutive samples (ISO 14496-12, 8.7). */
const sampleRanges = (track: Buffer): Range[] => {
  const samples = boxUnder(track, 'mdia', 'minf', 'stbl') ?? Buffer.alloc(0)
  const header = boxIn(samples, 'stsz')
  if (header === undefined || header.length < 12) return []
  const [oneSize, sizes, runs] = [header.readUInt32BE(4), tableOf(header, 8), tableOf(boxIn(samples, 'stsc'), 4)]
  let [run, sample] = [0, 0]
  return chunkOffsets(samples).map((from, chunk) => {
    while ((runs[3 * (run + 1)] ?? Number.POSITIVE_INFINITY) <= chunk + 1) run += 1
    const count = runs[3 * run + 1] ?? 0
    const own =
      oneSize === 0 ? sizes.slice(sample, sample + count).reduce((sum, size) => sum + size, 0) : oneSize * count
    sample += count
    return { from, to: from + own }
  })
}

/** Whether a track refers to one of the others (ISO 14496-12, 8.3.3). */
const refersTo = (track: Buffer, ids: ReadonlySet<number>): boolean =>
  [...boxesIn(boxIn(track, 'tref') ?? Buffer.alloc(0))].some(({ content }) =>
    Array.from({ length: Math.floor(content.length / 4) }, (_, n) => content.readUInt32BE(4 * n)).some((id) =>
      ids.has(id),
    ),
  )

/**
 * The content of an index without the metadata that reveals where, when, by whom, and with what a video was recorded. Boxes
 * keep their positions and lengths, so that all offsets stay right. `samples` are the positions of the data that the removed
 * tracks recorded.
 */
export const cleanMovie = (original: Buffer): { movie: Buffer; samples: readonly Range[] } => {
  const movie = Buffer.from(original)
  const tracks = [...boxesIn(movie)].filter(({ type }) => type === 'trak')
  const removed = tracks.filter(({ content }) => !shownKinds.includes(kindOf(content)))
  const samples = removed.flatMap(({ content }) => sampleRanges(content))
  const ids = new Set(removed.flatMap(({ content }) => idOf(content) ?? []))
  for (const { content, whole } of tracks) {
    if (!shownKinds.includes(kindOf(content))) {
      blank(whole, content)
      continue
    }
    if (refersTo(content, ids)) {
      for (const each of boxesIn(content)) if (each.type === 'tref') blank(each.whole, each.content)
    }
    clearBoxes('trak', content, kindOf(content) === 'vide')
  }
  clearBoxes('moov', movie)
  return { movie, samples }
}
