import type { Context } from '../context.ts'
import type { Key } from '../db/table.ts'
import { countCall, countRow } from '../limits/count.ts'
import type { WithQuotas } from './check.ts'
import { type WindowQuota, windowOf } from './quotas.ts'
import { neverFits, overWindow } from './refuse.ts'

const counterOf = (quota: WindowQuota, subject: string): string => `quota#${quota}#${subject}`

/** The row that counts a quota over time for a workspace or a hashed recipient. */
export const windowKey = (quota: WindowQuota, subject: string) => countRow(counterOf(quota, subject))

/** The quotas over time that count for workspaces. */
export const workspaceWindows = ['uploadMebibytes', 'invitations', 'exports'] as const

/** The rows of these counters for a workspace. */
export const workspaceWindowKeys = (workspaceId: string): Key[] =>
  workspaceWindows.map((name) => windowKey(name, workspaceId))

/** Counts `units` of a quota over time; throws 429 if they do not fit. A refusal uses up nothing. */
export const countQuota = async (
  ctx: Context,
  workspace: WithQuotas | undefined,
  quota: WindowQuota,
  subject: string,
  units = 1,
): Promise<void> => {
  const limit = windowOf(ctx, quota, workspace?.quotas)
  if (units > limit.calls) throw neverFits(quota, limit.calls)
  const standing = await countCall(ctx, counterOf(quota, subject), limit, units)
  if (!standing.passes) throw overWindow(quota, limit.calls, standing.retryAfterSeconds)
}
