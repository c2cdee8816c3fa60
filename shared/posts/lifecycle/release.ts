import { maxDelaySeconds, send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { Change } from '../../db/expression.ts'
import { transact } from '../../db/table.ts'
import { type AttemptEnd, recordAttempt } from '../attempt-log.ts'
import { publishMessage, publishQueue } from '../dispatch/enqueue.ts'
import { claimFields, mine } from './claim.ts'
import { type Post, posts } from './row.ts'

/** Waits after the 1st, 2nd, … definite failure that may pass, in seconds (reliability, B5). */
export const retryWaitsSeconds = [5, 30, 120, 300, 600] as const

/** The sweeper's first look, when the message that was sent is lost. */
const sweepGraceMs = 30_000

/**
 * Gives a claimed post back to be tried again after a wait, with the change that says why; longer waits than a queue
 * can hold are left to the sweeper.
 */
export const release = async (
  ctx: Context,
  claimed: Post,
  waitSeconds: number,
  change: Change,
  attempt: AttemptEnd,
): Promise<void> => {
  const now = ctx.clock.now()
  const queued = waitSeconds <= maxDelaySeconds
  const sweepAtMs = now + waitSeconds * 1000 + (queued ? sweepGraceMs : 0)
  const row = {
    update: posts.key(claimed),
    change: {
      ...change,
      set: { ...change.set, sweepAtMs, sweepCount: 0, notBeforeMs: now + waitSeconds * 1000 },
      remove: [...claimFields, ...(change.remove ?? [])],
    },
    when: mine(claimed),
  }
  await transact(ctx, () => [row, recordAttempt(claimed, attempt, now)])
  if (!queued) return
  const message = { body: publishMessage(claimed), group: claimed.workspaceId, delaySeconds: Math.ceil(waitSeconds) }
  await send(ctx, publishQueue(claimed), message)
}

/**
 * A wait with jitter that keeps at least its half: the tries of a post outlast an outage of eight minutes, whatever
 * is drawn.
 */
export const jitter = (seconds: number): number => (seconds * (1 + Math.random())) / 2
