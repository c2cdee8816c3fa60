import type { AttemptFailure, AttemptRecord } from './attempt-record.ts'
import type { Post } from './row.ts'

/** How many attempts a row remembers: the newest ones. */
const keptAttempts = 10

/** When the call began: a claim is made shortly before the time of the post, and the call waits for it. */
export const startOf = (
  { attempt, version, scheduledAtMs }: Post,
  nowMs: number,
): { startedAtMs: number; lateMs?: number } => {
  if (attempt === undefined) return { startedAtMs: nowMs, lateMs: Math.max(0, nowMs - scheduledAtMs) }
  if (attempt.version !== version) return { startedAtMs: attempt.startedAtMs }
  const startedAtMs = Math.max(attempt.startedAtMs, scheduledAtMs)
  return { startedAtMs, lateMs: startedAtMs - scheduledAtMs }
}

/**
 * The attempts of a post with one that ends now. A claimed post that was never sent counts as one that was not sent. The
 * attempt whose outcome was unknown until now keeps its place.
 */
export const recordAttempt = (
  post: Post,
  { ends, failure }: { ends: 'published' | 'failed' | 'unknown'; failure?: AttemptFailure | undefined },
  nowMs: number,
): AttemptRecord[] => {
  const { attempt, attempts = [] } = post
  const last = attempts.at(-1)
  const open = attempt !== undefined && last?.outcome === 'unknown' ? last : undefined
  if (open !== undefined && ends === 'unknown') return attempts
  const record: AttemptRecord = {
    ...(open ?? { version: attempt?.version ?? post.version, ...startOf(post, nowMs) }),
    endedAtMs: nowMs,
    outcome: ends === 'failed' && attempt === undefined ? 'not_sent' : ends,
    ...(attempt?.reconciliation === undefined ? {} : { lookedUp: true as const }),
  }
  const { failure: _, ...bare } = record
  const ended = failure === undefined ? bare : { ...bare, failure }
  return [...(open === undefined ? attempts : attempts.slice(0, -1)), ended].slice(-keptAttempts)
}
