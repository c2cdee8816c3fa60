import { languageOf, stemOf } from './analyse.ts'
import { type Language, languagesWith } from './languages.ts'
import { normalizeWord } from './normalize.ts'
import { type Word, wordsOf } from './words.ts'

/** One word of the prompt, and its forms in memories, each with a weight. */
export interface Wanted {
  word: string
  forms: ReadonlyMap<string, number>
}

/** Decided: only the first distinct words of a long prompt count, up to this number. */
const maxWords = 48

const stemWorth = 0.8
const otherStemWorth = 0.6

const formsOf = ({ folded, lower }: Word, stems: readonly (readonly [Language, number])[]) => {
  const forms = new Map<string, number>([[folded, 1]])
  for (const [language, worth] of stems) {
    // A word typed without accents has the same meaning.
    for (const stemmed of [stemOf(language, lower), normalizeWord(stemOf(language, folded))]) {
      if (stemmed !== '') forms.set(stemmed, Math.max(worth, forms.get(stemmed) ?? 0))
    }
  }
  return forms
}

/**
 * Reads a prompt: its words without the most common ones, unless there are no others. A short prompt seldom shows its
 * language, so each word is also stemmed in the languages of the memories.
 */
export const readPrompt = (prompt: string, spoken: readonly Language[]): Wanted[] => {
  const words = [...wordsOf(prompt)]
  const own = languageOf(prompt, words)
  const stems = spoken.map(
    (language) => [language, (own ?? language) === language ? stemWorth : otherStemWorth] as const,
  )
  const telling = words.filter(({ folded }) => languagesWith(folded).length === 0)
  const wanted = new Map<string, Wanted>()
  for (const word of telling.length > 0 ? telling : words) {
    if (wanted.size < maxWords && !wanted.has(word.folded)) {
      wanted.set(word.folded, { word: word.folded, forms: formsOf(word, stems) })
    }
  }
  return [...wanted.values()]
}
