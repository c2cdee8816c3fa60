import { graphemesIn } from './counting.ts'

const utf16Units = (text: string): number => text.length

const cutAt = (pieces: Iterable<string>, max: number, count: (piece: string) => number): string => {
  let [result, used] = ['', 0]
  for (const piece of pieces) {
    used += count(piece)
    if (used > max) break
    result += piece
  }
  return result
}

const clustersOf = function* (text: string): Iterable<string> {
  for (const { segment } of graphemesIn(text)) yield segment
}

/**
 * The beginning of a text with a length of at most `max` by `count`, UTF-16 code units by default. No grapheme is split,
 * except one that is longer than `max`: it is split between code points.
 */
export const cutText = (text: string, max: number, count: (text: string) => number = utf16Units): string =>
  count(text) <= max ? text : cutAt(clustersOf(text), max, count) || cutAt(text, max, count)
