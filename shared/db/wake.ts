import { createHash } from 'node:crypto'
import { wakeShards } from '../resources.ts'

/** The shard of the wake index for a row, always the same for the same id. */
export const wakeShard = (id: string): string =>
  `WAKE#${createHash('sha256').update(id).digest().readUInt16BE(0) % wakeShards}`

/** Attributes that let the sweeper find a row with unfinished work at a moment (pipeline rule 4). */
export const wake = (id: string, wakeAtMs: number) => ({ wakeShard: wakeShard(id), wakeAt: wakeAtMs, wakes: 0 })

/** Their names, for the write that finishes the work. */
export const asleep = ['wakeShard', 'wakeAt', 'wakes'] as const
