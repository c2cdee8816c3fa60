import type { Context } from '../../context.ts'
import { readBatch } from './match.ts'
import type { Replay } from './replay.ts'

const rowsPerBatch = 500

/** How far a replay has counted. */
export type Counting = Pick<Replay, 'counted' | 'countedTo' | 'matched'>

/**
 * Continues the count, including what was already read, until all events are counted, the maximum of a replay is
 * reached, or enough rows were read.
 */
export const countMatches = async (
  ctx: Context,
  replay: Replay,
  maxRows: number,
  maxEvents: number,
): Promise<Counting> => {
  let { counted, countedTo, matched } = replay
  for (let read = 0; matched === null && read < maxRows; ) {
    const { matches, upTo, isLast, rowsRead } = await readBatch(ctx, replay, countedTo, rowsPerBatch)
    counted += matches.length
    countedTo = upTo
    read += rowsRead
    if (isLast || counted >= maxEvents) matched = Math.min(counted, maxEvents)
  }
  return { counted, countedTo, matched }
}
