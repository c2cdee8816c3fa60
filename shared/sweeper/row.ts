import * as z from 'zod/mini'
import { sweepRules } from './rules.ts'

/** What the sweeper itself reads of a row in the sweep index. */
export const SweptRow = z.object({
  PK: z.string(),
  SK: z.string(),
  type: z.string(),
  sweepAtMs: z.number(),
  sweepCount: z.optional(z.number()),
})
export type SweptRow = z.infer<typeof SweptRow>

const keys = ['PK', 'SK', 'sweepShard', 'sweepAtMs']

/** The attributes that the sweep index projects beside its keys: what the sweeper and the rules of all rows read. */
export const projectedAttributes: readonly string[] = [
  ...new Set([...Object.keys(SweptRow.shape), ...sweepRules.flatMap(({ attributes }) => attributes)]),
].filter((name) => !keys.includes(name))
