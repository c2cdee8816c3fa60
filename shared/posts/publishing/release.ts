import { maxDelaySeconds, send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { transact, type Write } from '../../db/table.ts'
import { publishMessage, publishQueue } from '../dispatch/enqueue.ts'
import type { Post } from '../lifecycle/row.ts'
import { publishGraceMs, type Wait } from '../lifecycle/writes.ts'
import { type AttemptEnd, failureOf, logAttempt, recordAttempt } from './attempt-log.ts'

/** Waits after the 1st, 2nd, … temporary failure, in seconds. */
export const retryWaitsSeconds = [5, 30, 120, 300, 600] as const

/**
 * Releases a claimed post until after a wait. A wait that is longer than the maximum delay of a queue is left to the
 * sweeper.
 */
export const release = async (
  ctx: Context,
  claimed: Post,
  end: { waitSeconds: number; row: (wait: Wait) => Write; attempt: AttemptEnd },
): Promise<void> => {
  const { waitSeconds, row, attempt } = end
  const now = ctx.clock.now()
  const isQueued = waitSeconds <= maxDelaySeconds
  const notBeforeMs = now + waitSeconds * 1000
  const ends = attempt.state === 'unknown' ? 'unknown' : 'failed'
  const attempts = recordAttempt(claimed, { ends, failure: failureOf(attempt) }, now)
  const wait = { notBeforeMs, sweepAtMs: notBeforeMs + (isQueued ? publishGraceMs : 0), attempts }
  await transact(ctx, () => [row(wait)])
  logAttempt(ctx, claimed, attempt)
  if (!isQueued) return
  const message = { body: publishMessage(claimed), group: claimed.workspaceId, delaySeconds: Math.ceil(waitSeconds) }
  await send(ctx, publishQueue(claimed), message)
}

/**
 * A wait with jitter, at least half of the given seconds: the tries of a post outlast an outage of eight minutes in any
 * case.
 */
export const jitter = (seconds: number): number => (seconds * (1 + Math.random())) / 2
