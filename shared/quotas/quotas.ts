import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'
import type { Limit } from '../limits/count.ts'

/** How many of a resource can exist at the same time, per workspace or per person. */
const standing = {
  drafts: { per: 'workspace', limit: 10_000 },
  memories: { per: 'workspace', limit: 100_000 },
  storageBytes: { per: 'workspace', limit: 100 * 2 ** 30 },
  childWorkspaces: { per: 'workspace', limit: 1_000 },
  ownedWorkspaces: { per: 'person', limit: 20 },
  accessTokens: { per: 'person', limit: 50 },
  sessions: { per: 'person', limit: 50 },
  notificationDevices: { per: 'person', limit: 20 },
} as const

/**
 * How much can happen over time: `limit` in one burst, and each unit is available again after its share of `windowSeconds`.
 * Decided: a password reset email is possible again after at most an hour, the lifetime of a link. An attacker therefore
 * cannot keep the owner of an account from having a valid link.
 */
const windows = {
  uploadMebibytes: { per: 'workspace', limit: 51_200, windowSeconds: 86_400 },
  invitations: { per: 'workspace', limit: 100, windowSeconds: 86_400 },
  exports: { per: 'workspace', limit: 5, windowSeconds: 86_400 },
  invitationMails: { per: 'recipient', limit: 5, windowSeconds: 86_400 },
  verificationMails: { per: 'recipient', limit: 10, windowSeconds: 36_000 },
  passwordResetMails: { per: 'recipient', limit: 5, windowSeconds: 18_000 },
} as const

export type StandingQuota = keyof typeof standing
export type WindowQuota = keyof typeof windows
export type QuotaName = StandingQuota | WindowQuota

/** Decided: the quotas if neither the deployment nor the workspace's plan sets them. */
export const defaultQuotas = { ...standing, ...windows } as const

export const quotaNames = Object.keys(defaultQuotas) as [QuotaName, ...QuotaName[]]

/** Quotas that a deployment (`quotas` in cdk.json) or the plan of a workspace overrides. */
export const QuotaLimits = z.partialRecord(
  z.enum(quotaNames),
  z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
)
export type QuotaLimits = z.infer<typeof QuotaLimits>

const deployed = perContext((ctx) => z.parse(QuotaLimits, JSON.parse(ctx.env('QUOTAS'))))

/** The limit of a quota: from the workspace's plan, otherwise from the deployment, otherwise the default. */
export const limitOfQuota = (ctx: Context, name: QuotaName, plan: QuotaLimits | undefined): number =>
  plan?.[name] ?? deployed(ctx)[name] ?? defaultQuotas[name].limit

/** A quota over time as a rate limit. */
export const windowOf = (ctx: Context, name: WindowQuota, plan: QuotaLimits | undefined): Limit => ({
  calls: limitOfQuota(ctx, name, plan),
  perSeconds: windows[name].windowSeconds,
})
