import { graphemesIn } from '../../text/counting.ts'

/** Whether a text is within all limits. */
export type Fits = (text: string) => boolean

/** Links, mentions, hashtags, and cashtags: a text is never cut inside one of them. */
const whole = /https?:\/\/\S+|[@#$＠＃][\p{L}\p{N}\p{M}_.-]+|[!-~]*[@#$/.][!-~]*/gu

/** Ends of sentences: after their punctuation and closing quotes, and at line breaks. */
const sentenceEnd = /[.!?…]["'”’)\]]*(?=\s|$)|[。！？]["'”’）」』]*|(?=\n)/gu
const wordEnd = /(?<=\S)(?=\s|$)/gu

const endsOf = (text: string, pattern: RegExp): number[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: match }) => index + match.length)

/** Every position at which a text can be cut, in ascending order. */
const cutsOf = (text: string): number[] => {
  const closed = Array.from(text.matchAll(whole), ({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
  }))
  const cuts: number[] = []
  let next = 0
  for (const { index } of graphemesIn(text)) {
    while ((closed[next]?.end ?? Number.POSITIVE_INFINITY) <= index) next += 1
    if (index > (closed[next]?.start ?? Number.POSITIVE_INFINITY)) continue
    cuts.push(index)
  }
  return cuts
}

/** The last of some ascending positions up to a position; undefined if there is none. */
const lastUpTo = (positions: readonly number[], max: number): number | undefined =>
  positions.findLast((position) => position <= max)

/** The index of the last cut that fits, if every earlier one fits too; -1 if none does. */
const lastFitting = (cuts: readonly number[], fitsAt: (cut: number) => boolean): number => {
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (fitsAt(cuts[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** How much of the longest possible text a better cut may cost. */
const [sentenceShare, wordShare] = [0.6, 0.5]

/** A sentence or word may end there, followed by an ellipsis after a word if there is room for it. */
const candidatesAt = (text: string, cut: number): string[] => {
  const near = text.slice(0, cut + 2)
  const sentence = lastUpTo(endsOf(near, sentenceEnd), cut)
  const word = lastUpTo(endsOf(near, wordEnd), cut) ?? cut
  const end = word >= cut * wordShare ? word : cut
  return [
    ...(sentence !== undefined && sentence >= cut * sentenceShare ? [text.slice(0, sentence).trimEnd()] : []),
    `${text.slice(0, end).trimEnd()}…`,
    text.slice(0, end).trimEnd(),
    text.slice(0, cut).trimEnd(),
  ].filter((candidate) => candidate !== '' && candidate !== '…')
}

/** Counts of a platform can fall while a text grows, so that the search can end at a cut that does not fit. */
const maxStepsBack = 500

/**
 * A text that is within all limits: the text itself, or its beginning, cut after a sentence if that costs little, otherwise
 * after a word, and never inside a grapheme, a link, or a mention. Empty if no beginning fits.
 */
export const fitText = (text: string, fits: Fits): string => {
  if (fits(text)) return text
  const cuts = cutsOf(text)
  const last = lastFitting(cuts, (cut) => fits(text.slice(0, cut).trimEnd()))
  for (let at = last; at >= 0 && at > last - maxStepsBack; at -= 1) {
    const fitting = candidatesAt(text, cuts[at] ?? 0).find(fits)
    if (fitting !== undefined) return fitting
  }
  return ''
}
