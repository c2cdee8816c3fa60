import { type Match, matchesIn } from './match.ts'
import type { Wanted } from './query.ts'
import { openWindow } from './window.ts'

/**
 * The part of a text that matches a prompt best, and the positions of the words in it, in UTF-16 units, end exclusive.
 */
export interface Passage {
  text: string
  highlights: { start: number; end: number }[]
}

const maxUnits = 240

let bySentence: Intl.Segmenter | undefined
let byGrapheme: Intl.Segmenter | undefined

const sentenceStarts = (text: string): number[] => {
  bySentence ??= new Intl.Segmenter(undefined, { granularity: 'sentence' })
  return Array.from(bySentence.segment(text), ({ index }) => index)
}

/** The last of some ascending positions that is at most `most`; undefined if there is none. */
const lastUpTo = (places: readonly number[], most: number): number | undefined => {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((places[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return places[low - 1]
}

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

/** The passage with the most words of the prompt; the beginning if there are none. */
export const passageOf = (text: string, wanted: readonly Wanted[]): Passage => {
  const matches = matchesIn(text, wanted)
  const sentences = sentenceStarts(text)
  // A passage begins with a sentence or, in a sentence that is too long, a little before a matching word.
  const starts = matches.map(({ start, end }) => {
    const sentence = lastUpTo(sentences, start) ?? 0
    return end - sentence <= maxUnits ? sentence : letterStart(text, Math.max(0, start - 60))
  })
  const window = openWindow(matches)
  let best = { start: 0, end: endFrom(text, 0, sentences), worth: -1 }
  for (const start of new Set([0, ...starts])) {
    const end = endFrom(text, start, sentences)
    const worth = window.worthOf(start, end)
    if (worth > best.worth) best = { start, end, worth }
  }
  return cut(text, best.start, best.end, matches)
}
