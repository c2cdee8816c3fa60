import type { Context } from '../../context.ts'
import { readStretch } from './match.ts'
import type { Replay } from './replay.ts'

const rowsPerStretch = 500

/** How far a replay has counted. */
export type Counting = Pick<Replay, 'counted' | 'countedTo' | 'matched'>

/** Counts on, what was read so far included, until all is counted, as many as can be told again, or enough was read. */
export const countMatches = async (
  ctx: Context,
  replay: Replay,
  mostRows: number,
  mostEvents: number,
): Promise<Counting> => {
  let { counted, countedTo, matched } = replay
  for (let read = 0; matched === null && read < mostRows; ) {
    const { matches, upTo, isLast, rowsRead } = await readStretch(ctx, replay, countedTo, rowsPerStretch)
    counted += matches.length
    countedTo = upTo
    read += rowsRead
    if (isLast || counted >= mostEvents) matched = Math.min(counted, mostEvents)
  }
  return { counted, countedTo, matched }
}
