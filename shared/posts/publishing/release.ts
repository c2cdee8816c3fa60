import type { Context } from '../../context.ts'
import type { Change } from '../../db/expression.ts'
import type { PublishingCalls } from '../../platforms/adapter.ts'
import type { Post } from '../lifecycle/row.ts'
import { publicationWork } from '../lifecycle/work.ts'
import { type AttemptEnd, failureOf, logAttempt, recordAttempt } from './attempt-log.ts'

/** Waits after the 1st, 2nd, … temporary failure, in seconds. */
export const retryWaitsSeconds = [5, 30, 120, 300, 600] as const

/** How long to wait before the outcome of a lost call is looked up, in seconds: briefly where a repeat of the call settles it. */
export const waitBeforeLookUp = ({ repeatableSeconds, readLagSeconds }: PublishingCalls): number =>
  repeatableSeconds === undefined ? Math.max(1, readLagSeconds) : retryWaitsSeconds[0]

/** Releases a claimed post until after a wait; does nothing if another worker has it, or its author has changed it. */
export const release = async (
  ctx: Context,
  claimed: Post,
  { waitSeconds, change, attempt }: { waitSeconds: number; change: Change; attempt: AttemptEnd },
): Promise<void> => {
  const now = ctx.clock.now()
  const ends = attempt.state === 'unknown' ? 'unknown' : 'failed'
  const attempts = recordAttempt(claimed, { ends, failure: failureOf(attempt) }, now)
  const set = { ...change.set, attempts }
  if (await publicationWork.continueAt(ctx, claimed, now + Math.ceil(waitSeconds * 1000), { ...change, set })) {
    logAttempt(ctx, claimed, attempt)
  }
}

/**
 * A wait with jitter, at least half of the given seconds: the tries of a post outlast an outage of eight minutes in any
 * case.
 */
export const jitter = (seconds: number): number => (seconds * (1 + Math.random())) / 2
