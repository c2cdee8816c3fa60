import { languageOf, stemOf } from './analyse.ts'
import { near } from './near.ts'
import type { Wanted } from './query.ts'
import { type Word, wordsOf } from './words.ts'

/** A word of a text that answers a word of the prompt. */
export interface Match {
  start: number
  end: number
  wanted: string
}

const answers = ({ folded }: Word, stemmed: string, { word, forms }: Wanted): boolean =>
  forms.has(folded) || forms.has(stemmed) || (word.length >= 4 && folded.startsWith(word))

const isMistyped = (folded: string, { word }: Wanted): boolean =>
  word.length >= 4 && near([folded], word, word.length < 8 ? 1 : 2).length > 0

/** The words of a text that are asked for, in order; mistyped ones only for what no word answers as it is. */
export const matchesIn = (text: string, wanted: readonly Wanted[]): Match[] => {
  const words = [...wordsOf(text)]
  const language = languageOf(text, words) ?? 'en'
  const found = (test: (word: Word, one: Wanted) => boolean, among: readonly Wanted[]) =>
    words.flatMap((word) => {
      const one = among.find((candidate) => test(word, candidate))
      return one === undefined ? [] : [{ start: word.start, end: word.end, wanted: one.word }]
    })
  const exact = found((word, one) => answers(word, stemOf(language, word.lower), one), wanted)
  const left = wanted.filter(({ word }) => !exact.some((match) => match.wanted === word))
  const mistyped = found(({ folded }, one) => isMistyped(folded, one), left)
  const taken = new Set(exact.map(({ start }) => start))
  return [...exact, ...mistyped.filter(({ start }) => !taken.has(start))].sort((one, other) => one.start - other.start)
}
