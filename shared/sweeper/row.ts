import * as z from 'zod/mini'
import { sweepRules } from './rules.ts'

/** The attributes of a row in the sweep index that the sweeper itself reads. */
export const SweptRow = z.object({
  PK: z.string(),
  SK: z.string(),
  type: z.string(),
  sweepAtMs: z.number(),
  sweepCount: z.optional(z.number()),
})
export type SweptRow = z.infer<typeof SweptRow>

const keys = ['PK', 'SK', 'sweepShard', 'sweepAtMs']

/**
 * The attributes that the sweep index projects in addition to its keys: those that the sweeper and the rules of all
 * rows read.
 */
export const projectedAttributes: readonly string[] = [
  ...new Set([...Object.keys(SweptRow.shape), ...sweepRules.flatMap(({ attributes }) => attributes)]),
].filter((name) => !keys.includes(name))
