import type { CodeOf } from '../../errors/catalog.ts'
import { Refusal } from '../../errors/refusal.ts'

/** Why an uploaded file is rejected, and how to fix it. */
const remedies = {
  media_empty: 'Upload the file itself.',
  media_truncated: 'Upload the whole file again.',
  media_damaged: 'Save it again with another program, then upload that file.',
  media_polyglot: 'Save the image, video, or document alone, without what was added to it, then upload that file.',
  media_complex: 'Save it again with another program, then upload that file.',
  media_pixels: 'Make it smaller, then upload that file.',
  media_no_video: 'Upload a file with a video track.',
  media_fragmented: 'Save it as an ordinary MP4 or MOV, not in fragments for streaming, then upload that file.',
} as const satisfies Partial<Record<CodeOf<'invalid'>, string>>

type InvalidFileCode = keyof typeof remedies

/** The error codes of rejected files. */
export const invalidFileCodes = Object.keys(remedies) as readonly InvalidFileCode[]

/** The error for a rejected upload; `what` continues "The uploaded file". */
export const invalidFile = (code: InvalidFileCode, what: string): Refusal =>
  new Refusal('invalid', `The uploaded file ${what}. ${remedies[code]}`, { code, field: 'storageKey' })

/**
 * Counts the parts of one kind in a file and rejects more than `most`: parts of a few bytes each can keep a decoder busy for
 * hours. `holds` continues "The uploaded file", as in "is a GIF with more than 10000 frames".
 */
export const counter = (max: number, holds: string): (() => void) => {
  let count = 0
  return () => {
    count += 1
    if (count > max) throw invalidFile('media_complex', holds)
  }
}

export const truncated = (format: string): Refusal =>
  invalidFile('media_truncated', `is cut off: a ${format} that does not reach its end`)
