import { beginningWith, fuzzyMatches, placeOf } from './fuzzy.ts'
import type { Wanted } from './query.ts'
import type { Segment } from './segment.ts'

/** The matching terms of one segment for one word of the prompt, by position, with their weights. */
export type Terms = ReadonlyMap<number, number>

const prefixWorth = 0.5
const nearWorth = 0.6
const maxLonger = 40

// In scripts without spaces, two letters are a word.
const isDense = (word: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)

const exactIn = ({ terms }: Segment, { forms }: Wanted): Map<number, number> => {
  const found = new Map<number, number>()
  for (const [form, worth] of forms) {
    const place = placeOf(terms, form)
    if (terms[place] === form) found.set(place, worth)
  }
  return found
}

const addLonger = ({ terms }: Segment, { word }: Wanted, found: Map<number, number>) => {
  if (word.length < (isDense(word) ? 2 : 4)) return
  for (const place of beginningWith(terms, word, maxLonger)) {
    const worth = (prefixWorth * word.length) / (terms[place]?.length ?? word.length)
    if (!found.has(place)) found.set(place, worth)
  }
}

const nearIn = ({ terms }: Segment, { word }: Wanted): Terms => {
  if (word.length < 4 || isDense(word)) return new Map()
  const close = fuzzyMatches(terms, word, word.length < 8 ? 1 : 2)
  return new Map(close.map(({ place, errors }) => [place, nearWorth ** errors]))
}

/**
 * The terms of each segment that match a word of the prompt: its forms and terms that begin with it. Only if no memory
 * has any of these, terms with typing errors.
 */
export const expand = (segments: readonly Segment[], wanted: Wanted): Terms[] => {
  const exact = segments.map((segment) => exactIn(segment, wanted))
  for (const [n, segment] of segments.entries()) addLonger(segment, wanted, exact[n] ?? new Map())
  if (exact.some(({ size }) => size > 0)) return exact
  return segments.map((segment) => nearIn(segment, wanted))
}
