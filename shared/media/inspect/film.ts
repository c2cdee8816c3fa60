import { boxAt, isBoxType } from './box.ts'
import type { MediaFacts } from './facts.ts'
import { flaw, truncated } from './flaw.ts'
import { readMovie } from './movie.ts'
import { demandEnd, isPadding } from './padding.ts'
import type { Source } from './source.ts'

const format = 'video'

/** A film of an hour has about two megabytes of index; the largest that is taken lasts less than a day. */
const mostIndexBytes = 32 * 1024 * 1024
const mostPaddingBytes = 65_536

/** The types at the top of a film whose content is not looked at come in any order and number, within reason. */
const mostBoxes = 100

const readIndex = async (source: Source, start: number, end: number): Promise<MediaFacts> => {
  if (end - start > mostIndexBytes) throw flaw('media_damaged', 'is a video with an index of impossible length')
  return readMovie(await source.read(start, end))
}

/** Bytes that are no box: zeros are left behind by some recorders, anything else is not of the film. */
const demandRest = async (source: Source, at: number) => {
  const rest = source.size - at
  if (rest > mostPaddingBytes) {
    const head = await source.read(at, at + 16)
    if (!isPadding(head)) demandEnd(format, head)
    throw flaw('media_damaged', `is a video with ${rest} bytes after its end`)
  }
  demandEnd(format, await source.read(at, source.size))
}

/**
 * Walks over the boxes at the top of a film (ISO 14496-12, 4.2), wherever its index lies, and reads that alone: neither
 * pictures nor sound. Decided: films in fragments are refused, since platforms refuse them.
 */
export const readFilm = async (source: Source): Promise<MediaFacts> => {
  let facts: MediaFacts | undefined
  let pictures = false
  let at = 0
  for (let n = 0; at < source.size; n += 1) {
    if (n === mostBoxes) throw flaw('media_damaged', `is a video with more than ${mostBoxes} parts`)
    const head = await source.read(at, Math.min(at + 16, source.size))
    const isWhole = facts !== undefined && pictures
    if (head.length < 8 && !isWhole) throw truncated(format)
    if (head.length < 8 || !isBoxType(head.toString('latin1', 4, 8))) {
      await demandRest(source, at)
      break
    }
    const { type, start, end } = boxAt(head, at, source.size)
    if (end < start) throw flaw('media_damaged', 'is a video with a box of impossible length')
    // What is whole has no more parts to be cut off: these bytes are of something else.
    if (end > source.size && (!isWhole || type === 'mdat')) throw truncated(format)
    if (end > source.size) demandEnd(format, head)
    if (type === 'moof') throw flaw('media_fragmented', 'is a fragmented video')
    if (type === 'mdat') pictures = true
    if (type === 'moov') facts ??= await readIndex(source, start, end)
    at = end
  }
  if (facts === undefined) throw truncated(`${format} without its index (moov)`)
  if (!pictures) throw truncated(`${format} without its pictures (mdat)`)
  return facts
}
