import type { Context } from '../context.ts'
import { limitOfQuota, type QuotaLimits, type StandingQuota } from './quotas.ts'
import { overQuota } from './refuse.ts'

/** What a quota belongs to: a workspace, whose plan may set other limits. */
export interface WithQuotas {
  quotas?: QuotaLimits | undefined
}

/**
 * Throws 409 where `wanted` more than the `used` ones would pass the limit.
 *
 * Decided: what is used is read when the request begins, without a lock. Requests that arrive in the same moment can pass
 * the limit by their own number, and no counter has to be written twice.
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
