import { notSwept, sweepAt } from '../db/sweep-at.ts'
import type { Credentials } from '../platforms/account.ts'
import type { CredentialLifecycle } from '../platforms/connector.ts'
import { dayMs } from '../time.ts'

/** Unused credentials are checked at most this often, and first this long after they were stored. */

/** The attributes of an account whose credentials are to be looked at, as a part of the write that stores them. */
export const nextRenewalCheck = (id: string, nowMs: number, atMs = 0) => sweepAt(id, Math.max(atMs, nowMs + dayMs))

/** The change that brings an account back when its credentials must be renewed, or lets it sleep for ever. */
export const scheduleRenewal = (keeper: CredentialLifecycle, id: string, credentials: Credentials, nowMs: number) => {
  const atMs = keeper.refresh && keeper.renewAtMs?.(credentials)
  return atMs === undefined ? { remove: notSwept } : { set: nextRenewalCheck(id, nowMs, atMs) }
}
