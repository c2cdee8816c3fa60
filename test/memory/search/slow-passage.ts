import { languageOf, stemOf } from '../../../shared/memory/search/analyse.ts'
import type { Passage } from '../../../shared/memory/search/passage.ts'
import { isMistyped, type Wanted } from '../../../shared/memory/search/query.ts'
import { type Word, wordsOf } from '../../../shared/memory/search/words.ts'

interface Match {
  start: number
  end: number
  terms: string
}

/** The searched words of a text, in order; misspelled ones only where no word matches exactly. */
const matchesIn = (text: string, terms: readonly Wanted[]): Match[] => {
  const words = [...wordsOf(text)]
  const language = languageOf(text, words)
  const matching = (test: (word: Word, candidate: Wanted) => boolean, among: readonly Wanted[]) =>
    words.flatMap((word) => {
      const one = among.find((candidate) => test(word, candidate))
      return one === undefined ? [] : [{ start: word.start, end: word.end, terms: one.word }]
    })
  const exact = matching((word, { forms }) => forms.has(word.folded) || forms.has(stemOf(language, word)), terms)
  const left = terms.filter(({ word }) => !exact.some((match) => match.terms === word))
  const mistyped = matching(({ folded }, { word }) => isMistyped(folded, word), left)
  const taken = new Set(exact.map(({ start }) => start))
  return [...exact, ...mistyped.filter(({ start }) => !taken.has(start))].sort(
    (left, right) => left.start - right.start,
  )
}

const maxUnits = 240

let bySentence: Intl.Segmenter | undefined
let byGrapheme: Intl.Segmenter | undefined

const sentenceStarts = (text: string): number[] => {
  bySentence ??= new Intl.Segmenter(undefined, { granularity: 'sentence' })
  return [...bySentence.segment(text)].map(({ index }) => index)
}

/** The start of the grapheme that contains an offset. */
const letterStart = (text: string, at: number): number => {
  if (at >= text.length) return text.length
  byGrapheme ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  // Enough before the offset to see the whole grapheme, also one of many code points.
  const from = Math.max(0, at - 64)
  const matching = byGrapheme.segment(text.slice(from)).containing(at - from)
  return from + (matching?.index ?? 0)
}

/** The end of the longest piece from a start: behind a sentence where one ends in it, else between words or letters. */
const endFrom = (text: string, start: number, sentences: readonly number[]): number => {
  if (text.length - start <= maxUnits) return text.length
  const sentence = sentences.findLast((at) => at > start && at <= start + maxUnits)
  if (sentence !== undefined) return sentence
  const end = letterStart(text, start + maxUnits)
  const space = text.slice(start, end).search(/\s\S*$/)
  return space > maxUnits / 2 ? start + space : end
}

const worthOf = (matches: readonly Match[]) => new Set(matches.map(({ terms }) => terms)).size * 10 + matches.length

const within = (matches: readonly Match[], start: number, end: number) =>
  matches.filter((match) => match.start >= start && match.end <= end)

const cut = (text: string, from: number, to: number, matches: readonly Match[]): Passage => {
  const start = from + (text.slice(from, to).length - text.slice(from, to).trimStart().length)
  const passage = text.slice(start, to).trimEnd()
  return {
    text: passage,
    highlights: within(matches, start, start + passage.length).map((match) => ({
      start: match.start - start,
      end: match.end - start,
    })),
  }
}

/**
 * The passage with most of the searched words; the beginning if there are none. Every start is compared with every
 * sentence and every match: plain to read, and quadratic.
 */
export const slowPassageOf = (text: string, terms: readonly Wanted[]): Passage => {
  const matches = matchesIn(text, terms)
  const sentences = sentenceStarts(text)
  const last = (start: number) => sentences.findLast((at) => at <= start) ?? 0
  // A passage begins with a sentence, or in one that is too long for it a little before a searched word.
  const starts = matches.flatMap(({ start, end }) => {
    const sentence = last(start)
    return end - sentence <= maxUnits ? [sentence] : [letterStart(text, Math.max(0, start - 60 - (start % 60)))]
  })
  let best = { start: 0, end: endFrom(text, 0, sentences), worth: -1 }
  for (const start of new Set([0, ...starts])) {
    const end = endFrom(text, start, sentences)
    const worth = worthOf(within(matches, start, end))
    if (worth > best.worth) best = { start, end, worth }
  }
  return cut(text, best.start, best.end, matches)
}
