import type { Write } from '../../db/table.ts'
import type { AttemptRecord } from './attempt-record.ts'
import { ownsLease } from './condition.ts'
import { type Post, reconciliationPath } from './row.ts'
import { reconciledAttempt } from './state.ts'
import { postLifecycle, retryClears } from './transitions.ts'

/** When a released post is tried again, by its own message and by the sweeper, and its attempts so far. */
export interface Wait {
  notBeforeMs: number
  sweepAtMs: number
  attempts: readonly AttemptRecord[]
}

const release = (
  name: 'retry' | 'reconcileLater',
  claimed: Post,
  { notBeforeMs, sweepAtMs, attempts }: Wait,
  change: { set?: Readonly<Record<string, unknown>>; remove?: readonly string[] },
): Write => {
  const set = { ...change.set, notBeforeMs, sweepAtMs, sweepCount: 0, attempts }
  return postLifecycle.write(name, claimed, { ...change, set }, ownsLease(claimed))
}

/** The attempt certainly failed: the post can be attempted again. */
export const retry = (
  claimed: Post,
  wait: Wait,
  after: Pick<Post, 'failedAttempts' | 'presumedLostAtMs' | 'earlierMayBeLive'> & {
    clears?: Partial<Record<Clears, boolean>>
  },
): Write => {
  const { clears = {}, ...set } = after
  const remove = (Object.keys(retryClears) as Clears[]).flatMap((reason) => (clears[reason] ? retryClears[reason] : []))
  return release('retry', claimed, wait, { set, remove })
}
type Clears = keyof typeof retryClears

/** The response to the attempt was lost: its outcome is looked up from now on. */
export const beginReconciling = (claimed: Post, wait: Wait, nowMs: number): Write =>
  release('reconcileLater', claimed, wait, { set: { [reconciliationPath]: { sinceMs: nowMs, negativeProbes: 0 } } })

/** The outcome is still unknown: it is looked up again. */
export const goOnReconciling = (claimed: Post, wait: Wait, negativeProbes: number): Write => {
  const { sinceMs } = reconciledAttempt(claimed).reconciliation
  return release('reconcileLater', claimed, wait, { set: { [reconciliationPath]: { sinceMs, negativeProbes } } })
}
