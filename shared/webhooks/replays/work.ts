import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent, anyOf, equal } from '../../db/expression.ts'
import type { Claimed } from '../../db/lease.ts'
import { defineLifecycle } from '../../db/lifecycle.ts'
import { transact } from '../../db/table.ts'
import { work } from '../../db/work.ts'
import { expiryOf } from '../../events/outbox.ts'
import { type Replay, replays, runningReplayKey } from './replay.ts'

/** The message to replay-events: one step of a replay. */
export const ReplayMessage = z.object({ workspaceId: z.string(), replayId: z.string() })
export type ReplayMessage = z.infer<typeof ReplayMessage>

export const replayLifecycle = defineLifecycle({
  entity: replays,
  attribute: 'status',
  states: { running: 'running', completed: 'completed', cancelled: 'cancelled' },
  transitions: {
    /** All events are enqueued, or the maximum of one replay. */
    complete: { by: 'worker', moves: { running: ['completed'] }, clears: [] },
    /** The endpoint was disabled or deleted. */
    cancel: { by: 'worker', moves: { running: ['cancelled'] }, clears: [] },
  },
})

/** A replay enqueues its events step by step. */
export const replayWork = work({
  entity: replays,
  queue: 'replay',
  timeoutSeconds: 30,
  open: replayLifecycle.when('complete'),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: replayId }) => {
    const body: ReplayMessage = { workspaceId, replayId }
    return { body, group: workspaceId }
  },
})

/** The progress of a step. */
export type Progress = Pick<Replay, 'counted' | 'countedTo' | 'matched' | 'doneTo' | 'queued'>

/** Ends a replay, so that its endpoint can start another one. Does nothing if another worker has taken it in the meantime. */
export const endReplay = async (
  ctx: Context,
  claimed: Claimed<Replay>,
  name: keyof typeof replayLifecycle.transitions,
  ending: Partial<Progress & Pick<Replay, 'reason' | 'nextSinceMs'>>,
): Promise<void> => {
  const finishedAt = new Date(ctx.clock.now()).toISOString()
  const isOwnMarker = anyOf(absent('PK'), equal('replayId', claimed.id))
  await wasCurrent(
    transact(ctx, () => [
      replayWork.endWrite(
        claimed,
        replayLifecycle.change(name, { set: { ...ending, finishedAt, ttl: expiryOf(ctx) } }),
      ),
      { delete: runningReplayKey(claimed), when: isOwnMarker },
    ]),
  )
}
