import { stemOf } from './analyse.ts'
import { type Language, languagesWith } from './languages.ts'
import { wordsOf } from './words.ts'

/** One word of the prompt, and its forms in memories: itself, and its stem in each language. */
export interface Wanted {
  word: string
  forms: ReadonlySet<string>
}

/** Decided: only the first distinct words of a long prompt count, up to this number. */
const maxWords = 48

/**
 * Reads a prompt: its words without the most common ones, unless there are no others. A short prompt seldom shows its
 * language, so each word is stemmed in all languages of the memories.
 */
export const readPrompt = (prompt: string, spoken: readonly Language[]): Wanted[] => {
  const words = [...wordsOf(prompt)]
  const telling = words.filter(({ folded }) => languagesWith(folded).length === 0)
  const distinct = new Map((telling.length > 0 ? telling : words).map((word) => [word.folded, word]))
  return [...distinct.values()].slice(0, maxWords).map((word) => ({
    word: word.folded,
    forms: new Set([word.folded, ...spoken.map((language) => stemOf(language, word))]),
  }))
}

const minMistyped = 4

/** Whether a term is a word with one typing error: a letter too many, missing, or wrong, or two swapped. */
export const isMistyped = (term: string, word: string): boolean => {
  const longer = term.length - word.length
  if (word.length < minMistyped || longer > 1 || longer < -1) return false
  let start = 0
  while (start < word.length && term.charCodeAt(start) === word.charCodeAt(start)) start += 1
  const endsAs = (termFrom: number, wordFrom: number) => term.slice(termFrom) === word.slice(wordFrom)
  if (longer !== 0) return longer > 0 ? endsAs(start + 1, start) : endsAs(start, start + 1)
  const isSwapped = term[start] === word[start + 1] && term[start + 1] === word[start]
  return endsAs(start + 1, start + 1) || (isSwapped && endsAs(start + 2, start + 2))
}
