import { type Language, languagesWith, stem } from './languages.ts'
import { normalizeWord } from './normalize.ts'
import { type Word, wordsOf } from './words.ts'

/** Letters that indicate a language when a short text has no common word. */
const letters: readonly (readonly [RegExp, Language])[] = [
  [/[ßäöü]/, 'de'],
  [/[ğşıİ]/, 'tr'],
  [/[ãõ]/, 'pt'],
  [/[ñ¿¡]/, 'es'],
  [/[å]/, 'sv'],
  [/[êœçè]/, 'fr'],
  [/\p{Script=Cyrillic}/u, 'ru'],
]

/** The language that most of a text's common words belong to; undefined if none matches. */
export const languageOf = (text: string, words: readonly Word[]): Language | undefined => {
  const hints = new Map<Language, number>()
  const hint = (language: Language, by: number) => hints.set(language, (hints.get(language) ?? 0) + by)
  for (const { folded } of words) for (const language of languagesWith(folded)) hint(language, 1)
  for (const [letter, language] of letters) if (letter.test(text)) hint(language, 1.5)
  let best: Language | undefined
  for (const [language, found] of hints) {
    if (best === undefined || found > (hints.get(best) ?? 0)) best = language
  }
  return best
}

/** What the index stores of a text: how often each word and each stem occurs. */
export interface Analysed {
  /** Undefined for scripts without stemming. */
  language: Language | undefined
  /** The number of words. */
  length: number
  terms: ReadonlyMap<string, number>
}

const isLatin = /[a-z]/i

/** The normalized stem of a word; undefined for words in another script than the language's. */
export const stemOf = (language: Language, lower: string): string => normalizeWord(stem(language, lower))

/** Reads a text for the index. A text without a recognized language is treated as English, the most common one. */
export const analyse = (text: string): Analysed => {
  const words = [...wordsOf(text)]
  const language = languageOf(text, words) ?? (isLatin.test(text) ? 'en' : undefined)
  const terms = new Map<string, number>()
  const count = (term: string) => terms.set(term, (terms.get(term) ?? 0) + 1)
  for (const { folded, lower } of words) {
    count(folded)
    const stemmed = language === undefined ? folded : stemOf(language, lower)
    if (stemmed !== folded && stemmed !== '') count(stemmed)
  }
  return { language, length: words.length, terms }
}
