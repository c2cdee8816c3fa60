import * as z from 'zod/mini'
import type { ErrorResponse } from '../http.ts'
import { type Classification, classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'

const name = 'Reddit'

/** The reason of an error, from any of Reddit's error formats. */
interface Reason {
  code: string
  message: string
  waitSeconds?: number | undefined
}

const inPost = z.object({
  json: z.object({
    ratelimit: z.optional(z.number()),
    errors: z.array(z.tuple([z.string(), z.nullish(z.string())], z.unknown())).check(z.minLength(1)),
  }),
})
const onSubmit = z.object({ reason: z.string(), explanation: z.nullish(z.string()), message: z.optional(z.string()) })
const plain = z.object({ message: z.string(), reason: z.optional(z.string()) })

/** "Take a break for 8 minutes before trying again." */
const waitIn = (message: string): number | undefined => {
  const [, number, unit = ''] = /(\d+) (second|minute|hour)/.exec(message) ?? []
  const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 }
  return number === undefined ? undefined : Number(number) * (seconds[unit] ?? 60)
}

const readReason = (body: unknown): Reason | undefined => {
  const posted = z.safeParse(inPost, body).data?.json
  const [first] = posted?.errors ?? []
  if (posted && first) {
    const message = first[1] ?? ''
    return { code: first[0], message, waitSeconds: posted.ratelimit ?? waitIn(message) }
  }
  const submitted = z.safeParse(onSubmit, body).data
  if (submitted) return { code: submitted.reason, message: submitted.explanation || submitted.message || '' }
  const other = z.safeParse(plain, body).data
  return other && { code: other.reason ?? '', message: other.message }
}

const { accessRevoked, rateLimited, postRejected } = commonErrors
const limited = (retryAfterSeconds: number): Classification => [...rateLimited, { retryAfterSeconds }]
const noAccess: Classification = ['invalid', 'does not let this account post in the subreddit']

export const noSubreddit: Classification = ['invalid', 'subreddit not found. Choose another one.', { notFound: true }]

const networkRefused: Classification = [
  'transient',
  'refuses the calls of this service. Contact the operator of this service.',
  { operator: true },
]

/** Reddit's error names. */
const byName = new Map<string, Classification>([
  ['USER_REQUIRED', accessRevoked],
  ['BANNED_IP', networkRefused],
  ['RATELIMIT', limited(600)],
  ['SUBREDDIT_RATELIMIT', limited(600)],
  ['QUOTA_FILLED', limited(3600)],
  ['SUBREDDIT_NOTALLOWED', noAccess],
  ['SUBREDDIT_NO_ACCESS', noAccess],
  ['BANNED_FROM_SUBREDDIT', noAccess],
  ['IN_TIMEOUT', ['blocked', 'suspended this account for a while']],
  [
    'ALREADY_SUB',
    ['duplicate', 'rejected the link as a duplicate in this subreddit. Send `resubmit: true` to post it again.'],
  ],
  ['SUBREDDIT_NOEXIST', noSubreddit],
  // Trouble at Reddit, after which the post may be there.
  ['SOMETHING_IS_BROKEN', commonErrors.mayBeLive],
])

/** Classifies the reason why a post was rejected, which mostly comes with a 200. Unknown names are rejections, too. */
export const classifyReason = ({ status }: ErrorResponse, { code, message, waitSeconds }: Reason): PlatformError => {
  const [errorClass, sentence, more] = byName.get(code) ?? postRejected
  const requested = errorClass === 'rate' && waitSeconds !== undefined ? { retryAfterSeconds: waitSeconds } : {}
  const info = { httpStatus: status, code, detail: shortDetail(message || code) }
  return classified(name, [errorClass, sentence, { ...more, ...requested }], info)
}

/** The error of a response whose status is 200. */
export const errorIn = (response: ErrorResponse): PlatformError | undefined => {
  const reason = z.safeParse(inPost, response.body).success ? readReason(response.body) : undefined
  return reason && classifyReason(response, reason)
}

const byStatus = ({ status, headers }: ErrorResponse, named: boolean, message: string): Classification => {
  if (status === 401) return accessRevoked
  if (status === 403 && /insufficient_scope/.test(headers['www-authenticate'] ?? '')) {
    return ['auth', commonErrors.scopesMissing[1]]
  }
  // A response without JSON did not come from the API.
  if (!named) return commonErrors.unavailable
  // Reddit's network refuses the address or the User-Agent of the service, not the post (since 2026-05).
  if (status === 403 && /network security/i.test(message)) return networkRefused
  if (status === 403) return noAccess
  return status === 404 ? noSubreddit : postRejected
}

/** Classifies a response with an error status. */
export const classifyRedditError = (response: ErrorResponse): PlatformError => {
  const { status, headers } = response
  const reason = readReason(response.body)
  if (status === 429) {
    const reset = Number(headers['x-ratelimit-reset'])
    const retryAfterSeconds = Number.isFinite(reset) && reset > 0 ? Math.ceil(reset) : 60
    return classified(name, rateLimited, { httpStatus: status, retryAfterSeconds })
  }
  if (reason && byName.has(reason.code)) return classifyReason(response, reason)
  const detail = shortDetail(reason?.message || reason?.code || '')
  const info = { httpStatus: status, detail, ...(reason?.code ? { code: reason.code } : {}) }
  return classified(name, byStatus(response, reason !== undefined, detail), info)
}
