import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterOf } from '../http.ts'
import { type Classification, classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'

const name = 'X'

const outOfCredits: Classification = [
  'quota',
  'API credits of this service are used up. Contact the operator of this service.',
  { operator: true, retryAfterSeconds: 900 },
]
const suspended: Classification = ['permission', 'suspended this account.']
const appRejected: Classification = [
  'transient',
  'rejects the app of this service. Contact the operator of this service.',
  { operator: true },
]
const replyNotAllowed = 'does not allow this reply.'

/** By the last segment of the problem's type: both hosts of X occur in it (X API, Response Codes & Errors). */
const bySlug = new Map<string, Classification>([
  ['unsupported-authentication', commonErrors.accessRevoked],
  ['client-forbidden', appRejected],
  ['user-suspended', suspended],
  ['credits', outOfCredits],
  ['credits-depleted', outOfCredits],
  ['usage-capped', outOfCredits],
])

/** Messages about the author of another post, whom a reply would reach; the account itself is fine. */
const aboutOthers = /blocked from the author|\bauthor\b[^.]*\bsuspended\b/i

/** By X's message, where the type is not specific. */
const byMessage: readonly (readonly [RegExp, Classification])[] = [
  [/application (cannot perform write actions|has been suspended)/i, appRejected],
  [/duplicate content|is a duplicate/i, ['duplicate', 'rejected the post as a duplicate. Change its text.']],
  [/reply to this conversation is not allowed/i, ['invalid', replyNotAllowed]],
  [/\b(your|this) account\b[^.]*\bsuspended\b/i, suspended],
  [
    /\b(your|this) account\b[^.]*\blocked\b/i,
    ['blocked', 'locked this account for a while. Log in to X to unlock it.'],
  ],
  [/daily (?:status update|post) limit/i, commonErrors.dailyLimitReached],
  [/might be automated/i, ['blocked', 'took the post for spam. Log in to X to see whether the account is limited.']],
  [/not permitted to access this feature/i, ['blocked', 'does not let this account use that feature']],
  [/media ids are invalid/i, ['transient', 'dropped the uploaded media.', { preparedGone: true }]],
]

const Problem = z.object({
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
  type: z.optional(z.string()),
  reset_date: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ message: z.optional(z.string()) }))),
})

/** The spending limit that the operator has set ends with its billing cycle, on a day that X names (X API, Usage and billing). */
const spentUntil = (resetDate: string, nowMs: number): Classification | undefined => {
  const seconds = Math.ceil((Date.parse(resetDate) - nowMs) / 1000)
  if (!(seconds > 0)) return undefined
  const sentence = `spending limit of this service is reached until ${resetDate}. Contact the operator of this service.`
  return ['quota', sentence, { operator: true, retryAfterSeconds: seconds }]
}

const waitSeconds = (response: ErrorResponse): number => {
  const { headers, nowMs } = response
  // When the daily limit is used up, its end counts, not that of the quarter of an hour.
  const dayUsedUp = headers['x-user-limit-24hour-remaining'] === '0'
  const reset = Number(headers[dayUsedUp ? 'x-user-limit-24hour-reset' : 'x-rate-limit-reset'])
  if (Number.isFinite(reset) && reset > 0) return Math.max(1, Math.ceil(reset - nowMs / 1000)) + 1
  return retryAfterOf(response) ?? 60
}

const classify = (status: number, slug: string, message: string, named: boolean): Classification => {
  if (aboutOthers.test(message)) return ['blocked', replyNotAllowed]
  const known = bySlug.get(slug) ?? byMessage.find(([pattern]) => pattern.test(message))?.[1]
  if (known) return known
  if (status === 401) return commonErrors.accessRevoked
  if (status === 402) return outOfCredits
  // A response without a problem comes from X's edge.
  return named ? commonErrors.postRejected : commonErrors.unreachable
}

/** Classifies an error response by its problem, then by its message, then by its status. */
export const classifyXError = (response: ErrorResponse): PlatformError => {
  const problem = z.safeParse(Problem, response.body)
  const { title = '', detail = '', type = '', reset_date: resetDate, errors = [] } = problem.data ?? {}
  const slug = type.split('/').at(-1) ?? ''
  const message = shortDetail([detail || title, ...errors.map(({ message = '' }) => message)].filter(Boolean).join(' '))
  const info = { httpStatus: response.status, code: slug, detail: message }
  const spent = resetDate === undefined ? undefined : spentUntil(resetDate, response.nowMs)
  if (spent) return classified(name, spent, info)
  if (response.status === 429 && !bySlug.has(slug)) {
    return classified(name, commonErrors.rateLimited, { ...info, retryAfterSeconds: waitSeconds(response) })
  }
  return classified(name, classify(response.status, slug, message, problem.success), info)
}
