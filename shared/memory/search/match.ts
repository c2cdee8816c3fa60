import { languageOf, stemOf } from './analyse.ts'
import { fuzzyMatches } from './fuzzy.ts'
import type { Wanted } from './query.ts'
import { type Word, wordsOf } from './words.ts'

/** A word of a text that matches a word of the prompt. */
export interface Match {
  start: number
  end: number
  wanted: string
}

const answers = ({ folded }: Word, stemmed: string, { word, forms }: Wanted): boolean =>
  forms.has(folded) || forms.has(stemmed) || (word.length >= 4 && folded.startsWith(word))

const isMistyped = (folded: string, { word }: Wanted): boolean => {
  const most = word.length < 8 ? 1 : 2
  return (
    word.length >= 4 && Math.abs(folded.length - word.length) <= most && fuzzyMatches([folded], word, most).length > 0
  )
}

/** The matches of each word of a text, by a test that runs once per distinct word. */
const answered = (words: readonly Word[], among: readonly Wanted[], test: (word: Word, one: Wanted) => boolean) => {
  const known = new Map<string, Wanted | undefined>()
  return words.flatMap((word): Match[] => {
    if (!known.has(word.lower)) {
      known.set(
        word.lower,
        among.find((one) => test(word, one)),
      )
    }
    const one = known.get(word.lower)
    return one === undefined ? [] : [{ start: word.start, end: word.end, wanted: one.word }]
  })
}

/** The words of a text that match the prompt, in order; mistyped ones only for prompt words without an exact match. */
export const matchesIn = (text: string, wanted: readonly Wanted[]): Match[] => {
  const words = [...wordsOf(text)]
  const language = languageOf(text, words) ?? 'en'
  const exact = answered(words, wanted, (word, one) => answers(word, stemOf(language, word.lower), one))
  const met = new Set(exact.map((match) => match.wanted))
  const left = wanted.filter(({ word }) => !met.has(word))
  const mistyped = answered(words, left, ({ folded }, one) => isMistyped(folded, one))
  const taken = new Set(exact.map(({ start }) => start))
  return [...exact, ...mistyped.filter(({ start }) => !taken.has(start))].sort((one, other) => one.start - other.start)
}
