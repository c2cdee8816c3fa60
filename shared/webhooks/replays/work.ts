import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent, anyOf, equal } from '../../db/expression.ts'
import type { Held } from '../../db/lease.ts'
import { transact } from '../../db/table.ts'
import { work } from '../../db/work.ts'
import { expiryOf } from '../../events/outbox.ts'
import { type Replay, replays, runningReplayKey } from './replay.ts'

/** The message to replay-events: one step of a replay. */
export const ReplayMessage = z.object({ workspaceId: z.string(), replayId: z.string() })
export type ReplayMessage = z.infer<typeof ReplayMessage>

/** A replay enqueues its events step by step. */
export const replayWork = work({
  entity: replays,
  queue: 'replay',
  timeoutSeconds: 30,
  open: equal('status', 'running'),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: replayId }) => {
    const body: ReplayMessage = { workspaceId, replayId }
    return { body, group: workspaceId }
  },
})

/** The progress of a step. */
export type Progress = Pick<Replay, 'counted' | 'countedTo' | 'matched' | 'doneTo' | 'queued'>

/** Ends a replay, so that its endpoint can start another one; does nothing if another worker has taken it meanwhile. */
export const endReplay = async (
  ctx: Context,
  held: Held<Replay>,
  ending: Partial<Progress> & Pick<Replay, 'status'> & Partial<Pick<Replay, 'reason' | 'nextSinceMs'>>,
): Promise<void> => {
  const finishedAt = new Date(ctx.clock.now()).toISOString()
  const isOurs = anyOf(absent('PK'), equal('replayId', held.id))
  await wasCurrent(
    transact(ctx, () => [
      replayWork.endWrite(held, { set: { ...ending, finishedAt, ttl: expiryOf(ctx) } }),
      { delete: runningReplayKey(held), when: isOurs },
    ]),
  )
}
