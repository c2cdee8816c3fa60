import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { ifCurrent, wasCurrent } from '../../db/condition-failed.ts'
import { absent, allOf, anyOf, atMost, equal } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import { notSwept, sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { transact, update } from '../../db/table.ts'
import { expiryOf } from '../../events/retention.ts'

import { type Replay, replays, runningReplayKey } from './replay.ts'

/** The message to replay-events: one step of a replay. */
export const ReplayMessage = z.object({ workspaceId: z.string(), replayId: z.string() })
export type ReplayMessage = z.infer<typeof ReplayMessage>

/** Longer than the function's timeout: when the lease ends, its holder is dead. */
const leaseMs = 45_000

const isHeld = ({ version }: Replay) => allOf(equal('status', 'running'), equal('version', version))

/**
 * Leases a replay for one step; undefined if it has ended, another worker holds it, or its next step is not due. So of
 * two messages for the same step, one takes it and the other ends.
 */
export const leaseReplay = async (ctx: Context, message: ReplayMessage): Promise<Replay | undefined> => {
  const now = ctx.clock.now()
  const { workspaceId, replayId: id } = message
  const change = {
    add: { version: 1 },
    set: { leaseUntilMs: now + leaseMs, ...sweepAt(id, now + leaseMs + sweepGraceMs) },
  }
  const due = allOf(equal('status', 'running'), atMost('dueAtMs', now), leaseFree('leaseUntilMs', now))
  const row = await ifCurrent(update(ctx, replays.key({ workspaceId, id }), change, due))
  return row && replays.parse(row)
}

/** The progress of a step. */
export type Progress = Pick<Replay, 'counted' | 'countedTo' | 'matched' | 'doneTo' | 'queued'>

/** Releases a replay after a step; false if another worker has taken it meanwhile. */
export const releaseReplay = (ctx: Context, held: Replay, progress: Progress, dueAtMs: number): Promise<boolean> => {
  const change = {
    set: { ...progress, dueAtMs, ...sweepAt(held.id, dueAtMs + sweepGraceMs) },
    remove: ['leaseUntilMs'],
  }
  return wasCurrent(update(ctx, replays.key(held), change, isHeld(held)))
}

/** Ends a replay, so that its endpoint can start another one; does nothing if another worker has taken it meanwhile. */
export const endReplay = async (
  ctx: Context,
  held: Replay,
  ending: Partial<Progress> & Pick<Replay, 'status'> & Partial<Pick<Replay, 'reason' | 'nextSinceMs'>>,
): Promise<void> => {
  const finishedAt = new Date(ctx.clock.now()).toISOString()
  const change = { set: { ...ending, finishedAt, ttl: expiryOf(ctx) }, remove: ['leaseUntilMs', ...notSwept] }
  const isOurs = anyOf(absent('PK'), equal('replayId', held.id))
  await ifCurrent(
    transact(ctx, () => [
      { update: replays.key(held), change, when: isHeld(held) },
      { delete: runningReplayKey(held), when: isOurs },
    ]),
  )
}
