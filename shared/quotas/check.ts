import type { Context } from '../context.ts'
import { limitOfQuota, type QuotaLimits, type StandingQuota } from './quotas.ts'
import { overQuota } from './refuse.ts'

/** A workspace, whose plan can set its own limits. */
export interface WithQuotas {
  quotas?: QuotaLimits | undefined
}

/**
 * Throws 409 if `used` plus `wanted` exceeds the limit.
 * Decided: usage is read when the request begins, without a lock. Concurrent requests can exceed the limit by their own
 * number, and no counter is written twice.
 */
export const assertQuota = (
  ctx: Context,
  workspace: WithQuotas | undefined,
  quota: StandingQuota,
  used: number,
  wanted = 1,
): void => {
  const limit = limitOfQuota(ctx, quota, workspace?.quotas)
  if (used + wanted > limit) throw overQuota(quota, limit, Math.max(0, used))
}
