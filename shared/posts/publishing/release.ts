import type { Context } from '../../context.ts'
import type { Change } from '../../db/expression.ts'
import type { PublishingCalls } from '../../platforms/adapter.ts'
import { isOutage, type PlatformError } from '../../platforms/platform-error.ts'
import { dayMs } from '../../time.ts'
import type { Post } from '../lifecycle/row.ts'
import { publicationWork } from '../lifecycle/work.ts'
import { type AttemptEnd, failureOf, logAttempt, recordAttempt } from './attempt-log.ts'

/** Waits after the 1st, 2nd, … temporary failure, in seconds. */
const retryWaitsSeconds = [5, 30, 120, 300, 600] as const

/** How long to wait before the outcome of a lost call is looked up, in seconds: briefly if a repeat of the call settles it. */
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

/** A wait with jitter, at least half of the given seconds. */
const jitter = (seconds: number): number => (seconds * (1 + Math.random())) / 2

/** How a post whose call certainly published nothing is retried: after what wait, and as how many failures that counts. */
export interface NextTry {
  waitSeconds: number
  failures: 0 | 1
}

/**
 * The next try of a post; undefined when its tries are used up. An outage uses up all but the last one: the longest wait is
 * repeated for as long as it lasts.
 */
export const nextTry = (failedAttempts: number, error: PlatformError): NextTry | undefined => {
  const last = retryWaitsSeconds.length - 1
  const isOver = isOutage(error) && failedAttempts >= last
  const seconds = retryWaitsSeconds[isOver ? last : failedAttempts]
  return seconds === undefined ? undefined : { waitSeconds: jitter(seconds), failures: isOver ? 0 : 1 }
}

/** A post that is later than this is not sent (pipeline rule 12, shared/README.md). */
export const tooLateMs = dayMs

/** Whether a post may still be sent after a wait. */
export const isInTime = ({ clock }: Context, { scheduledAtMs }: Post, waitSeconds: number): boolean =>
  clock.now() + waitSeconds * 1000 <= scheduledAtMs + tooLateMs
