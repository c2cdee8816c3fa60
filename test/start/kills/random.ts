/** Random numbers that a seed repeats. */
export interface Random {
  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number
  /** True in so many of a hundred cases. */
  percent(share: number): boolean
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T
  /** So many of a list, each once. */
  sample<T>(list: readonly T[], count: number): T[]
}

/** Mulberry32, by Tommy Ettinger (public domain). */
const mulberry32 = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const seeded = (seed: number): Random => {
  const next = mulberry32(seed)
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    int,
    percent: (share) => next() * 100 < share,
    pick: (list) => list[int(0, list.length - 1)] as (typeof list)[number],
    sample(list, count) {
      const left = [...list]
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(int(0, left.length - 1), 1)).flat()
    },
  }
}
