import { type Language, languagesWith, stem } from './languages.ts'
import { normalizeWord, type Word, wordsOf } from './words.ts'

/** Letters that indicate a language when a short text has no common word of its own. */
const letters: readonly (readonly [RegExp, Language])[] = [
  [/[ßäöü]/, 'de'],
  [/[ğşıİ]/, 'tr'],
  [/[ãõ]/, 'pt'],
  [/[ñ¿¡]/, 'es'],
  [/[å]/, 'sv'],
  [/[êœçè]/, 'fr'],
  [/\p{Script=Cyrillic}/u, 'ru'],
]

const isLatin = /[a-z]/i

/**
 * The language that most of a text's common words belong to. A text without any is treated as English, the most common
 * one; undefined for scripts without stemming.
 */
export const languageOf = (text: string, words: readonly Word[]): Language | undefined => {
  const hints = new Map<Language, number>()
  const hint = (language: Language, by: number) => hints.set(language, (hints.get(language) ?? 0) + by)
  for (const { folded } of words) for (const language of languagesWith(folded)) hint(language, 1)
  for (const [letter, language] of letters) if (letter.test(text)) hint(language, 1.5)
  const [best] = [...hints].sort(([, one], [, other]) => other - one)
  return best?.[0] ?? (isLatin.test(text) ? 'en' : undefined)
}

/** What the index stores of a text: how often each word and each stem occurs. */
export interface Analysed {
  language: Language | undefined
  /** The number of words. */
  length: number
  terms: ReadonlyMap<string, number>
}

/** The normalized stem of a word; of a word without one, the word. */
export const stemOf = (language: Language | undefined, { folded, lower }: Word): string =>
  (language && normalizeWord(stem(language, lower))) || folded

/** Reads a text for the index. */
export const analyse = (text: string): Analysed => {
  const words = [...wordsOf(text)]
  const language = languageOf(text, words)
  const terms = new Map<string, number>()
  for (const word of words) {
    for (const term of new Set([word.folded, stemOf(language, word)])) terms.set(term, (terms.get(term) ?? 0) + 1)
  }
  return { language, length: words.length, terms }
}
