import * as z from 'zod/mini'

let segmenter: Intl.Segmenter | undefined

/** The graphemes of a text: an emoji with all its joiners is one. Decided: created at its first use, which takes 8 ms. */
export const graphemesIn = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Characters as a reader sees them: an emoji with all its joiners is one. */
export const graphemes = (text: string): number => {
  let count = 0
  for (const _ of graphemesIn(text)) count += 1
  return count
}

export const utf8Bytes = (text: string): number => Buffer.byteLength(text)

export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A number with its noun: `1 byte`, `2 bytes`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The length in JavaScript; the strictest count of characters. */
export const utf16Units = (text: string): number => text.length

/** Longer runs of combining marks are normalized piece by piece (UAX #15, 13, allows 30). */
const maxMarks = 64

/**
 * A text in NFC. Sorting combining marks takes quadratic time in their number, so a run of more than 64 of them,
 * which no language has, is cut.
 */
export const normalized = (text: string): string => {
  if (!(text.match(/\p{M}+/gu) ?? []).some((marks) => marks.length > maxMarks)) return text.normalize()
  const pieces = text.match(/\P{M}+\p{M}{0,64}|\p{M}{1,64}/gu) ?? []
  return pieces.map((piece) => piece.normalize()).join('')
}

/** A text field with a limit in the platform's own counting; the limit is shown in the docs as well. */
export const limitedText = (max: number, count: (text: string) => number, unit = 'characters') =>
  z.string().check(
    z.refine((text) => count(text) <= max, { error: ({ input }) => `has ${count(String(input))}/${max} ${unit}` }),
    z.meta({ maxLength: max }),
  )
