import type { CodeOf } from '../../errors/catalog.ts'
import { Refusal } from '../../errors/refusal.ts'

/** What may be wrong with an uploaded file, and what helps. */
const remedies = {
  media_empty: 'Upload the file itself.',
  media_truncated: 'Upload the whole file again.',
  media_damaged: 'Save it again with another program, then upload that file.',
  media_polyglot: 'Save the image or video alone, without what was added to it, then upload that file.',
  media_complex: 'Save it again with another program, then upload that file.',
  media_pixels: 'Make it smaller, then upload that file.',
  media_no_video: 'Upload a file with a video track.',
  media_fragmented: 'Save it as an ordinary MP4 or MOV, not in fragments for streaming, then upload that file.',
} as const satisfies Partial<Record<CodeOf<'invalid'>, string>>

type FlawCode = keyof typeof remedies

/** The codes of refused files. */
export const flawCodes = Object.keys(remedies) as readonly FlawCode[]

/** The refusal of an uploaded file, by what was found in it; `what` goes on from "The uploaded file". */
export const flaw = (code: FlawCode, what: string): Refusal =>
  new Refusal('invalid', `The uploaded file ${what}. ${remedies[code]}`, { code, field: 'storageKey' })

/**
 * Counts the parts of one kind in a file and refuses more than `most` of them: a few bytes each can keep a decoder busy
 * for hours. `holds` goes on from "The uploaded file", as in "is a GIF with more than 10000 frames".
 */
export const counter = (most: number, holds: string): (() => void) => {
  let count = 0
  return () => {
    count += 1
    if (count > most) throw flaw('media_complex', holds)
  }
}

export const truncated = (format: string): Refusal =>
  flaw('media_truncated', `is cut off: a ${format} that does not reach its end`)
