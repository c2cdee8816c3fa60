import type { Match } from './match.ts'

/**
 * A window on the matches of a text, in order, that is moved from piece to piece. Pieces that rise through the text cost
 * no more together than one walk over it.
 */
export const openWindow = (matches: readonly Match[]) => {
  const counts = new Map<string, number>()
  /** The matches from `low` up to `high`, the end exclusive, are counted. */
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
    /** What the matches that lie in a piece are worth: each different word ten, each match one. */
    worthOf(start: number, end: number): number {
      while (low > 0 && startOf(low - 1) >= start) count(--low, 1)
      while (high < matches.length && endOf(high) <= end) count(high++, 1)
      while (low < high && startOf(low) < start) count(low++, -1)
      while (low < high && endOf(high - 1) > end) count(--high, -1)
      return different * 10 + (high - low)
    },
  }
}
