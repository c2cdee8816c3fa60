import type { Match } from './match.ts'

/**
 * A sliding window over the ordered matches of a text. Pieces that move forward through the text together cost one
 * pass.
 */
export const openWindow = (matches: readonly Match[]) => {
  const counts = new Map<string, number>()
  /** Counts the matches from `low` to `high`, end exclusive. */
  let [low, high, different] = [0, 0, 0]
  const count = (place: number, by: 1 | -1) => {
    const wanted = matches[place]?.wanted ?? ''
    const before = counts.get(wanted) ?? 0
    counts.set(wanted, before + by)
    if (before === 0) different += 1
    else if (before + by === 0) different -= 1
  }
  const startOf = (place: number) => matches[place]?.start ?? Number.POSITIVE_INFINITY
  const endOf = (place: number) => matches[place]?.end ?? Number.POSITIVE_INFINITY
  return {
    /** The weight of the matches in a piece: ten for each distinct word, one for each match. */
    worthOf(start: number, end: number): number {
      while (low > 0 && startOf(low - 1) >= start) count(--low, 1)
      while (high < matches.length && endOf(high) <= end) count(high++, 1)
      while (low < high && startOf(low) < start) count(low++, -1)
      while (low < high && endOf(high - 1) > end) count(--high, -1)
      return different * 10 + (high - low)
    },
  }
}
