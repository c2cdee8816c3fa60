import { Refusal } from '../errors/refusal.ts'
import type { QuotaName, StandingQuota, WindowQuota } from './quotas.ts'

/** What is counted, and what makes room. */
const wordsOf: Readonly<Record<StandingQuota, readonly [noun: string, fix: string]>> = {
  drafts: ['drafts in a workspace', 'Delete drafts that you no longer need'],
  memories: ['memories in a workspace', 'Delete memories that you no longer need'],
  storageBytes: ['bytes of media in a workspace', 'Delete media that you no longer need'],
  ownedWorkspaces: ['workspaces that one person owns', 'Delete a workspace or transfer its ownership'],
  accessTokens: ['active personal access tokens of one person', 'Revoke a token that you no longer use'],
  sessions: ['sessions of one person', 'Sign out somewhere'],
}

/** The refusal for who would have more than there may be: 409 with the quota, its limit and what is used. */
export const overQuota = (quota: StandingQuota, limit: number, used: number): Refusal => {
  const [noun, fix] = wordsOf[quota]
  const text = `The limit is ${limit} ${noun}, and ${used} are used. ${fix}, or ask the operator for a higher limit.`
  return new Refusal('conflict', text, { code: 'quota_exceeded', extra: { quota, limit, used } })
}

const rateWordsOf: Readonly<Record<WindowQuota, string>> = {
  uploadMebibytes: 'This workspace has reached its limit of uploads',
  invitations: 'This workspace has reached its limit of invitations',
  invitationMails: 'This address has reached its limit of invitation emails',
  verificationMails: 'This address has reached its limit of verification emails',
  passwordResetMails: 'This address has reached its limit of password reset emails',
}

const secondsIn = { hour: 3_600, minute: 60 }

/** A wait in whole hours or minutes, never shorter than it is. */
const spell = (seconds: number): string => {
  const [unit, length] = seconds > 5_400 ? (['hour', secondsIn.hour] as const) : (['minute', secondsIn.minute] as const)
  const count = Math.ceil(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The refusal for who does more in a time than is allowed: 429 with `Retry-After`. */
export const overWindow = (quota: WindowQuota, limit: number, retryAfterSeconds: number): Refusal =>
  new Refusal('limited', `${rateWordsOf[quota]}. Try again in ${spell(retryAfterSeconds)}.`, {
    code: 'quota_rate_exceeded',
    retryAfterSeconds,
    extra: { quota, limit } satisfies { quota: QuotaName; limit: number },
  })

/** The refusal for what is more by itself than ever fits: 429 without `Retry-After`, since no wait helps. */
export const neverFits = (quota: WindowQuota, limit: number): Refusal =>
  new Refusal(
    'limited',
    `This request alone exceeds the limit of ${limit}. Send less, or ask the operator for a higher limit.`,
    { code: 'quota_rate_exceeded', extra: { quota, limit } satisfies { quota: QuotaName; limit: number } },
  )
