import { notSwept, sweepAt } from '../db/sweep-at.ts'
import type { Credentials } from '../platforms/account.ts'
import type { CredentialLifecycle } from '../platforms/connector.ts'
import { dayMs } from '../time.ts'

/**
 * The attributes that schedule a check of an account's credentials, a day from now or later, for the write that stores
 * them.
 */
export const nextRenewalCheck = (id: string, nowMs: number, atMs = 0) => sweepAt(id, Math.max(atMs, nowMs + dayMs))

/** The change that schedules the next check of an account's credentials, or none if they need no renewal. */
export const scheduleRenewal = (keeper: CredentialLifecycle, id: string, credentials: Credentials, nowMs: number) => {
  const atMs = keeper.refresh && keeper.renewAtMs?.(credentials)
  return atMs === undefined ? { remove: notSwept } : { set: nextRenewalCheck(id, nowMs, atMs) }
}
