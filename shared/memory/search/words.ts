/** Lowercase with composed letters, without ligatures or wide forms: the input of stemmers. */
const lowered = (word: string): string => word.normalize('NFKC').toLowerCase()

/** A word as it is compared: without case and accents; uppercase spells out ß, and has the I of the Turkish ı. */
export const normalizeWord = (word: string): string => {
  const small = lowered(word)
  if (/^[a-z0-9]*$/.test(small)) return small
  const spelled = small.toUpperCase().toLowerCase().normalize('NFD')
  return spelled.replace(/[\u0300-\u036f]/g, '').normalize('NFC')
}

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

function* runsOf(text: string): Generator<{ run: string; start: number }> {
  for (const { 0: run, index } of text.matchAll(wordLike)) {
    if (!unspaced.test(run)) yield { run, start: index }
    else {
      segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
      for (const { segment, index: at } of segmenter.segment(run)) yield { run: segment, start: index + at }
    }
  }
}

/** The words of a text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  for (const { run, start } of runsOf(text)) {
    if (run.length <= maxWordLength) {
      yield { folded: normalizeWord(run), lower: lowered(run), start, end: start + run.length }
    }
  }
}
