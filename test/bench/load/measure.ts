/** The value below which a share of sorted numbers lies; 0 of none. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** p50 and p99 of some times, in milliseconds. */
export const spread = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: sorted.at(-1) ?? 0 }
}

/** The rounds of which the quietest counts: other work on the machine makes a round slower, never faster. */
const rounds = 4

/** Times something one at a time, in several rounds, and returns the spread of the round with the lowest median. */
export const timeOneByOne = async (times: number, run: () => Promise<void>) => {
  const measured = []
  for (let round = 0; round < rounds; round += 1) {
    const took: number[] = []
    for (let n = 0; n < times; n += 1) {
      const startedAt = performance.now()
      await run()
      took.push(performance.now() - startedAt)
    }
    measured.push(spread(took))
  }
  const [quietest = spread([])] = measured.toSorted((a, b) => a.p50 - b.p50)
  return quietest
}
