import { createHash } from 'node:crypto'
import { sweepShards } from '../resources.ts'

/** The shard of the sweep index for a row; always the same for the same id. */
export const sweepShard = (id: string): string =>
  `SWEEP#${createHash('sha256').update(id).digest().readUInt16BE(0) % sweepShards}`

/** How long a message has to arrive before the sweeper sends it again. */
export const sweepGraceMs = 60_000

/** How long after the end of a lease the sweeper takes the row: a live worker has released it by then. */
export const leaseGraceMs = 15_000

/**
 * Attributes that make a row with unfinished work visible to the sweeper at a given time (publishing pipeline, rule 4).
 */
export const sweepAt = (id: string, sweepAtMs: number) => ({ sweepShard: sweepShard(id), sweepAtMs, sweepCount: 0 })

/** The names of these attributes, for the write that finishes the work. */
export const notSwept = ['sweepShard', 'sweepAtMs', 'sweepCount'] as const
