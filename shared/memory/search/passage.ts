import { languageOf, stemOf } from './analyse.ts'
import { isMistyped, type Wanted } from './query.ts'
import { placeOf } from './segment.ts'
import { type Word, wordsOf } from './words.ts'

/**
 * The part of a text that matches a prompt best, and the positions of the words in it, in UTF-16 units, end exclusive.
 */
export interface Passage {
  text: string
  highlights: { start: number; end: number }[]
}

/** A word of a text that matches a word of the prompt. */
interface Match {
  start: number
  end: number
  wanted: string
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
const matchesIn = (text: string, wanted: readonly Wanted[]): Match[] => {
  const words = [...wordsOf(text)]
  const language = languageOf(text, words)
  const exact = answered(
    words,
    wanted,
    (word, { forms }) => forms.has(word.folded) || forms.has(stemOf(language, word)),
  )
  const met = new Set(exact.map((match) => match.wanted))
  const left = wanted.filter(({ word }) => !met.has(word))
  const mistyped = answered(words, left, ({ folded }, { word }) => isMistyped(folded, word))
  const taken = new Set(exact.map(({ start }) => start))
  return [...exact, ...mistyped.filter(({ start }) => !taken.has(start))].sort((one, other) => one.start - other.start)
}

const maxUnits = 240
const step = 60

let bySentence: Intl.Segmenter | undefined
let byGrapheme: Intl.Segmenter | undefined

const sentenceStarts = (text: string): number[] => {
  bySentence ??= new Intl.Segmenter(undefined, { granularity: 'sentence' })
  return Array.from(bySentence.segment(text), ({ index }) => index)
}

/** The last of some ascending positions that is at most `most`; undefined if there is none. */
const lastUpTo = (places: readonly number[], max: number): number | undefined => places[placeOf(places, max + 1) - 1]

/**
 * ASCII without control characters, and Chinese characters: every boundary between two of them is a grapheme boundary.
 */
const isPlain = (unit: number) => (unit >= 0x20 && unit < 0x7f) || (unit >= 0x4e00 && unit < 0xa000)

/** The start of the grapheme at a position. */
const letterStart = (text: string, at: number): number => {
  if (at >= text.length) return text.length
  if (at === 0 || (isPlain(text.charCodeAt(at)) && isPlain(text.charCodeAt(at - 1)))) return at
  byGrapheme ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  // Far enough before the position to see the whole grapheme, even one of many code points; later text changes nothing.
  const from = Math.max(0, at - 64)
  const found = byGrapheme.segment(text.slice(from, at + 2)).containing(at - from)
  return from + (found?.index ?? 0)
}

/** The end of the longest piece from a start: after a sentence if one ends in it, else between words or graphemes. */
const endFrom = (text: string, start: number, sentences: readonly number[]): number => {
  if (text.length - start <= maxUnits) return text.length
  const sentence = lastUpTo(sentences, start + maxUnits)
  if (sentence !== undefined && sentence > start) return sentence
  const end = letterStart(text, start + maxUnits)
  const space = text.slice(start, end).search(/\s\S*$/)
  return space > maxUnits / 2 ? start + space : end
}

const cut = (text: string, from: number, to: number, matches: readonly Match[]): Passage => {
  const start = from + (text.slice(from, to).length - text.slice(from, to).trimStart().length)
  const passage = text.slice(start, to).trimEnd()
  const end = start + passage.length
  return {
    text: passage,
    highlights: matches
      .filter((match) => match.start >= start && match.end <= end)
      .map((match) => ({ start: match.start - start, end: match.end - start })),
  }
}

/** The weight of the matches in a piece: ten for each distinct word, one for each match. */
const worthOf = (matches: readonly Match[]) => new Set(matches.map(({ wanted }) => wanted)).size * 10 + matches.length

/** The passage with the most words of the prompt; the beginning if there are none. */
export const passageOf = (text: string, wanted: readonly Wanted[]): Passage => {
  const matches = matchesIn(text, wanted)
  const sentences = sentenceStarts(text)
  // A passage begins with a sentence or, in a sentence that is too long, some letters before a matching word: in steps,
  // because a text that matches everywhere would have thousands of beginnings.
  const starts = matches.map(({ start, end }) => {
    const sentence = lastUpTo(sentences, start) ?? 0
    return end - sentence <= maxUnits ? sentence : letterStart(text, Math.max(0, start - step - (start % step)))
  })
  const [begins, ends] = [matches.map(({ start }) => start), matches.map(({ end }) => end)]
  let best = { start: 0, end: endFrom(text, 0, sentences), worth: -1 }
  for (const start of new Set([0, ...starts])) {
    const end = endFrom(text, start, sentences)
    const worth = worthOf(matches.slice(placeOf(begins, start), placeOf(ends, end + 1)))
    if (worth > best.worth) best = { start, end, worth }
  }
  return cut(text, best.start, best.end, matches)
}
