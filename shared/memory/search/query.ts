import { languageOf, stemOf } from './analyse.ts'
import { type Language, languagesWith } from './languages.ts'
import { normalizeWord } from './normalize.ts'
import { type Word, wordsOf } from './words.ts'

/** One word that is asked for, and the forms in which memories may have it, each with what it is worth. */
export interface Wanted {
  word: string
  forms: ReadonlyMap<string, number>
}

/** Decided: of a long prompt so many different words count, the first ones. */
const maxWords = 48

const stemWorth = 0.8
const otherStemWorth = 0.6

const formsOf = ({ folded, lower }: Word, stems: readonly (readonly [Language, number])[]) => {
  const forms = new Map<string, number>([[folded, 1]])
  for (const [language, worth] of stems) {
    // Who types without accents means the same word.
    for (const stemmed of [stemOf(language, lower), normalizeWord(stemOf(language, folded))]) {
      if (stemmed !== '') forms.set(stemmed, Math.max(worth, forms.get(stemmed) ?? 0))
    }
  }
  return forms
}

/**
 * Reads a prompt: its words without the commonest ones, unless there are no others. A short prompt seldom tells its
 * language, so each word is also cut as the memories' languages would.
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
