import * as z from 'zod/mini'
import { described } from './described.ts'

/** A number that does not exist if nothing was measured. */
export const measured = (description: string) => described(z.nullable(z.number()), description)

/** How lengths of time are spread: without any, there is no percentile, which is not 0. */
export const Spread = z
  .object({
    count: described(z.int(), 'How many lengths of time were measured.'),
    p50Ms: measured('Half of them are at most this long, in milliseconds. Null if there are none.'),
    p99Ms: measured('99 of 100 are at most this long, in milliseconds. Null if there are none.'),
    maxMs: measured('The longest, in milliseconds. Null if there are none.'),
  })
  .register(z.globalRegistry, {
    id: 'DurationSpread',
    description: 'The percentiles of lengths of time, by nearest rank: each is a length that was measured.',
    examples: [{ count: 212, p50Ms: 410, p99Ms: 2140, maxMs: 3020 }],
  })

export const spreadOf = (lengthsMs: readonly number[]): z.infer<typeof Spread> => {
  const sorted = lengthsMs.toSorted((a, b) => a - b)
  const percentile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null
  return { count: sorted.length, p50Ms: percentile(0.5), p99Ms: percentile(0.99), maxMs: percentile(1) }
}

/** How often something succeeded, from 0 to 1. Without anything that ended there is no rate, which is not 0. */
export const rateOf = (succeeded: number, failed: number): number | null =>
  succeeded + failed === 0 ? null : succeeded / (succeeded + failed)
