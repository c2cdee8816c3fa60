import { notSwept, sweepAt } from '../db/sweep-at.ts'
import type { Credentials } from '../platforms/account.ts'
import type { CredentialLifecycle } from '../platforms/connector.ts'
import { dayMs } from '../time.ts'
import type { SocialAccount } from './social-account.ts'

/** How long before the end of its access an account is reported. */
const endNoticeMs = 7 * dayMs

type Reported = Pick<SocialAccount, 'accessEndReported'>

/** When the end of an account's access must be reported, in ms; undefined if it was, if it is past, or if there is none. */
export const endNoticeAtMs = ({ accessEndReported }: Reported, endsAtMs: number | undefined, nowMs: number) =>
  endsAtMs === undefined || accessEndReported || endsAtMs <= nowMs ? undefined : endsAtMs - endNoticeMs

/**
 * When the platform must be asked whether the access has ended, in ms: a token can outlive the refresh token that issued it.
 * Undefined if there is no end.
 */
export const lastRenewalAtMs = (keeper: CredentialLifecycle, credentials: Credentials): number | undefined => {
  const endsAtMs = keeper.accessEndsAtMs?.(credentials)
  return endsAtMs && Math.max(endsAtMs, keeper.credentialsExpireAtMs?.(credentials) ?? 0)
}

/** The change that stores when the access of an account ends. */
export const accessEnd = (endsAtMs: number | undefined) =>
  endsAtMs === undefined
    ? { set: {}, remove: ['accessEndsAt'] }
    : { set: { accessEndsAt: new Date(endsAtMs).toISOString() }, remove: [] }

/** The attributes that schedule the first check of an account's credentials, for the write that stores them. */
export const firstRenewalCheck = (id: string, nowMs: number) => sweepAt(id, nowMs + dayMs)

/**
 * The change that stores when the access of an account ends, and schedules the next check of its credentials, or none if
 * they need no renewal and no report. A report is not postponed by a day: each refresh would postpone it again.
 */
export const scheduleRenewal = (
  keeper: CredentialLifecycle,
  account: Reported & Pick<SocialAccount, 'id'>,
  credentials: Credentials,
  nowMs: number,
) => {
  const endsAtMs = keeper.accessEndsAtMs?.(credentials)
  const { set, remove } = accessEnd(endsAtMs)
  const renewAtMs = keeper.refresh && keeper.renewAtMs?.(credentials)
  const noticeAtMs = endNoticeAtMs(account, endsAtMs, nowMs)
  const lastAtMs = lastRenewalAtMs(keeper, credentials)
  const never = Number.POSITIVE_INFINITY
  const atMs = Math.min(
    renewAtMs === undefined ? never : Math.max(renewAtMs, nowMs + dayMs),
    noticeAtMs ?? never,
    lastAtMs !== undefined && lastAtMs > nowMs ? lastAtMs : never,
  )
  if (atMs === never) return { set, remove: [...remove, ...notSwept] }
  return { set: { ...set, ...sweepAt(account.id, atMs) }, remove }
}
