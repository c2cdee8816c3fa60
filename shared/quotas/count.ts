import type { Context } from '../context.ts'
import type { Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { countCall, countRow } from '../limits/count.ts'
import {
  limitOfQuota,
  type QuotaLimits,
  type QuotaName,
  type StandingQuota,
  type WindowQuota,
  windowOf,
} from './quotas.ts'

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
  { subject, units = 1, isShared = false }: { subject: string; units?: number; isShared?: boolean },
): Promise<void> => {
  const limit = windowOf(ctx, quota, workspace?.quotas)
  if (units > limit.calls) throw neverFits(quota, limit.calls)
  const state = await countCall(ctx, counterOf(quota, subject), limit, units)
  if (!state.passes) throw overWindow(quota, limit.calls, { retryAfterSeconds: state.retryAfterSeconds, isShared })
}

/** What is counted, and how to free some of it. */
const copyOf: Readonly<Record<StandingQuota, readonly [noun: string, fix: string]>> = {
  drafts: ['drafts in a workspace', 'Delete drafts that you no longer need'],
  memories: ['memories in a workspace', 'Delete memories that you no longer need'],
  storageBytes: ['bytes of media in a workspace', 'Delete media that you no longer need'],
  childWorkspaces: ['child workspaces of an application', 'Delete a child workspace that you no longer need'],
  ownedWorkspaces: ['workspaces that one person owns', 'Delete a workspace or transfer its ownership'],
  accessTokens: ['active personal access tokens of one person', 'Revoke a token that you no longer use'],
  sessions: ['sessions of one person', 'Sign out of a session'],
  notificationDevices: ['devices of one person', 'Remove a device that you no longer use'],
}

/** Who uses up a quota that child workspaces share. */
const sharers = 'all workspaces of the application together'

/** The refusal above a standing quota: 409 with the quota, its limit, and the usage. */
const overQuota = (quota: StandingQuota, limit: number, used: number, isShared: boolean): Refusal => {
  const [noun, fix] = copyOf[quota]
  const text = `The limit is ${limit} ${noun}, and ${used} are used${isShared ? ` by ${sharers}` : ''}. ${fix}, or ask the operator for a higher limit.`
  return new Refusal('conflict', text, { code: 'quota_exceeded', extra: { quota, limit, used } })
}

const rateCopyOf: Readonly<Record<WindowQuota, string>> = {
  uploadMebibytes: 'This workspace has reached its limit of uploads',
  invitations: 'This workspace has reached its limit of invitations',
  exports: 'This workspace has reached its limit of exports',
  invitationMails: 'This address has reached its limit of invitation emails',
  verificationMails: 'This address has reached its limit of verification emails',
  passwordResetMails: 'This address has reached its limit of password reset emails',
}

const secondsIn = { hour: 3_600, minute: 60 }

/** A duration in whole hours or minutes, rounded up. */
const spell = (seconds: number): string => {
  const [unit, length] = seconds > 5_400 ? (['hour', secondsIn.hour] as const) : (['minute', secondsIn.minute] as const)
  const count = Math.ceil(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The refusal above a quota over time: 429 with `Retry-After`. */
const overWindow = (
  quota: WindowQuota,
  limit: number,
  { retryAfterSeconds, isShared }: { retryAfterSeconds: number; isShared: boolean },
): Refusal =>
  new Refusal(
    'limited',
    `${rateCopyOf[quota]}${isShared ? `, which is that of ${sharers}` : ''}. Try again in ${spell(retryAfterSeconds)}.`,
    {
      code: 'quota_rate_exceeded',
      retryAfterSeconds,
      extra: { quota, limit } satisfies { quota: QuotaName; limit: number },
    },
  )

/** The refusal of a request that alone exceeds the limit: 429 without `Retry-After`, because waiting does not help. */
const neverFits = (quota: WindowQuota, limit: number): Refusal =>
  new Refusal(
    'limited',
    `This request alone exceeds the limit of ${limit}. Send less, or ask the operator for a higher limit.`,
    { code: 'quota_rate_exceeded', extra: { quota, limit } satisfies { quota: QuotaName; limit: number } },
  )

/** A workspace, whose plan can set separate limits. */
export interface WithQuotas {
  quotas?: QuotaLimits | undefined
}

/**
 * Throws 409 if `used` plus `requested` exceeds the limit.
 * Decided: usage is read when the request begins, without a lock. Concurrent requests can exceed the limit by their own
 * number, and no counter is written twice.
 */
export const assertQuota = (
  ctx: Context,
  workspace: WithQuotas | undefined,
  quota: StandingQuota,
  { used, requested = 1, isShared = false }: { used: number; requested?: number; isShared?: boolean },
): void => {
  const limit = limitOfQuota(ctx, quota, workspace?.quotas)
  if (used + requested > limit) throw overQuota(quota, limit, Math.max(0, used), isShared)
}
