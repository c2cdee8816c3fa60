import { languageOf, stemOf } from '../../../shared/memory/search/analyse.ts'
import type { Passage } from '../../../shared/memory/search/passage.ts'
import { isMistyped, type Wanted } from '../../../shared/memory/search/query.ts'
import { type Word, wordsOf } from '../../../shared/memory/search/words.ts'

interface Match {
  start: number
  end: number
  wanted: string
}

/** The words of a text that are asked for, in order; mistyped ones only for what no word answers as it is. */
const matchesIn = (text: string, wanted: readonly Wanted[]): Match[] => {
  const words = [...wordsOf(text)]
  const language = languageOf(text, words)
  const found = (test: (word: Word, one: Wanted) => boolean, among: readonly Wanted[]) =>
    words.flatMap((word) => {
      const one = among.find((candidate) => test(word, candidate))
      return one === undefined ? [] : [{ start: word.start, end: word.end, wanted: one.word }]
    })
  const exact = found((word, { forms }) => forms.has(word.folded) || forms.has(stemOf(language, word)), wanted)
  const left = wanted.filter(({ word }) => !exact.some((match) => match.wanted === word))
  const mistyped = found(({ folded }, { word }) => isMistyped(folded, word), left)
  const taken = new Set(exact.map(({ start }) => start))
  return [...exact, ...mistyped.filter(({ start }) => !taken.has(start))].sort((one, other) => one.start - other.start)
}

const maxUnits = 240

let bySentence: Intl.Segmenter | undefined
let byGrapheme: Intl.Segmenter | undefined

const sentenceStarts = (text: string): number[] => {
  bySentence ??= new Intl.Segmenter(undefined, { granularity: 'sentence' })
  return [...bySentence.segment(text)].map(({ index }) => index)
}

/** The start of the letter, as a reader sees letters, that a place lies in. */
const letterStart = (text: string, at: number): number => {
  if (at >= text.length) return text.length
  byGrapheme ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  // Enough before the place to see the whole letter, also one of many code points.
  const from = Math.max(0, at - 64)
  const found = byGrapheme.segment(text.slice(from)).containing(at - from)
  return from + (found?.index ?? 0)
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

const worthOf = (matches: readonly Match[]) => new Set(matches.map(({ wanted }) => wanted)).size * 10 + matches.length

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
 * The passage with most of the words that are asked for; the beginning where there are none. Every start is held against every
 * sentence and every match: plain to read, and quadratic.
 */
export const slowPassageOf = (text: string, wanted: readonly Wanted[]): Passage => {
  const matches = matchesIn(text, wanted)
  const sentences = sentenceStarts(text)
  const last = (start: number) => sentences.findLast((at) => at <= start) ?? 0
  // A passage begins with a sentence, or in one that is too long for it a little before a word that is asked for.
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
