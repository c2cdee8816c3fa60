import * as z from 'zod/mini'
import type { ErrorResponse } from '../http.ts'
import { type Classification, classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'

/** Created at its first use, which takes 5 ms: most calls do not need California time. */
const clockIn = (): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Los_Angeles',
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })

const secondOfDay = (ms: number): number => {
  const parts = clockIn().formatToParts(ms)
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value)
  return part('hour') * 3600 + part('minute') * 60 + part('second')
}

/** The time until the next midnight in California, when Google's quotas reset. */
export const secondsToPacificMidnight = (nowMs: number): number => {
  const plain = 86_400 - secondOfDay(nowMs)
  // On two days of the year an hour is missing or doubled.
  const off = secondOfDay(nowMs + plain * 1000)
  return off > 43_200 ? plain + 86_400 - off : plain - off
}

const name = 'YouTube'

const { accessRevoked, scopesMissing } = commonErrors
const closed: Classification = ['permission', 'channel belongs to a Google account that is closed or suspended.']
const noChannel: Classification = [
  'permission',
  'channel not found for this Google account. Create one, then reconnect the account.',
]
const misconfigured: Classification = [
  'permission',
  'API is not enabled for this service. Contact the operator of this service.',
  { operator: true },
]
const rejected: Classification = ['invalid', 'rejected the video']
/** YouTube does not document a Retry-After. */
const limited: Classification = [...commonErrors.rateLimited, { retryAfterSeconds: 30 }]

/** YouTube's reasons (YouTube Data API, Errors and Core errors). */
const byReason = new Map<string, Classification>([
  ['authError', accessRevoked],
  ['youtubeSignupRequired', noChannel],
  ['channelNotFound', noChannel],
  ['authenticatedUserNotChannel', noChannel],
  [
    'accountDelegationForbidden',
    ['permission', 'does not let this person manage the channel. Reconnect the account as its owner.'],
  ],
  ['insufficientPermissions', scopesMissing],
  ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', scopesMissing],
  // A grant that lacks something has a finer name.
  ['forbidden', ['blocked', 'does not let this channel publish the video']],
  ...[
    'channelClosed',
    'channelSuspended',
    'authenticatedUserAccountClosed',
    'authenticatedUserAccountSuspended',
    'accountDeleted',
    'accountDisabled',
  ].map((reason) => [reason, closed] as const),
  ['accessNotConfigured', misconfigured],
  ['SERVICE_DISABLED', misconfigured],
  ...[
    'rateLimitExceeded',
    'userRateLimitExceeded',
    'servingLimitExceeded',
    'concurrentLimitExceeded',
    'limitExceeded',
    'variableTermLimitExceeded',
  ].map((reason) => [reason, limited] as const),
  ['uploadLimitExceeded', commonErrors.dailyLimitReached],
  ['invalidTitle', ['invalid', 'rejected the title']],
  ['invalidDescription', ['invalid', 'rejected the text']],
  ['invalidTags', ['invalid', 'rejected the tags']],
  ['invalidCategoryId', ['invalid', 'does not have this category in this region']],
])

/** The quota is shared by the whole service and resets each day. */
const quotaUsedUp = (nowMs: number): Classification => [
  'quota',
  'daily upload quota of this service is used up. Try again tomorrow.',
  { retryAfterSeconds: secondsToPacificMidnight(nowMs), operator: true },
]

const ErrorBody = z.object({
  error: z.object({
    message: z.optional(z.string()),
    status: z.optional(z.string()),
    errors: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))),
    details: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))),
  }),
})

const quotaReasons = new Set(['quotaExceeded', 'dailyLimitExceeded', 'variableTermExpiredDailyExceeded'])

/** A 429 about a daily metric, such as uploads, has the reason of a per-second limit. Its message names the period. */
const isPerDay = (message: string): boolean => /\bper day\b|PerDay/i.test(message)

const classify = (reasons: readonly string[], message: string, { status, nowMs }: ErrorResponse): Classification => {
  if (reasons.some((reason) => quotaReasons.has(reason))) return quotaUsedUp(nowMs)
  if (status === 429 && isPerDay(message)) return quotaUsedUp(nowMs)
  const [known] = reasons.flatMap((reason) => {
    const classification = byReason.get(reason)
    return classification === undefined ? [] : [classification]
  })
  if (known !== undefined) return known
  if (status === 401) return accessRevoked
  return status === 429 ? limited : rejected
}

/** Classifies an error response by its reason. */
export const classifyYouTubeError = (response: ErrorResponse): PlatformError => {
  const { message = '', errors = [], details = [] } = z.safeParse(ErrorBody, response.body).data?.error ?? {}
  // The finer reason, if there is one, is in the details.
  const reasons = [...details, ...errors].flatMap(({ reason }) => reason ?? [])
  const [code = ''] = reasons
  const detail = shortDetail(message || code || `HTTP ${response.status}`)
  return classified(name, classify(reasons, message, response), { httpStatus: response.status, code, detail })
}
