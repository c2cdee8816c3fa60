import { lower, normalizeWord } from './normalize.ts'

/** A word of a text, and its position in UTF-16 units, end exclusive. */
export interface Word {
  folded: string
  lower: string
  start: number
  end: number
}

const wordLike = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

// Scripts without spaces between words.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Longer runs of letters are not words; this keeps the index small. */
const maxWordLength = 64

let segmenter: Intl.Segmenter | undefined
const segment = (text: string) => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return segmenter.segment(text)
}

const wordAt = (text: string, start: number): Word => ({
  folded: normalizeWord(text),
  lower: lower(text),
  start,
  end: start + text.length,
})

function* inRun(run: string, at: number): Generator<Word> {
  for (const { segment: text, index, isWordLike } of segment(run)) {
    if (isWordLike && text.length <= maxWordLength) yield wordAt(text, at + index)
  }
}

/** The words of a text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  for (const { 0: run, index } of text.matchAll(wordLike)) {
    if (unspaced.test(run)) yield* inRun(run, index)
    else if (run.length <= maxWordLength) yield wordAt(run, index)
  }
}
