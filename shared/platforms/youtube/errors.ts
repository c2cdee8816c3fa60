import * as z from 'zod/mini'
import { type ErrorResponse, shorten } from '../http.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from '../platform-error.ts'
import { secondsToPacificMidnight } from './pacific-midnight.ts'

interface Verdict {
  errorClass: ErrorClass
  text: string
  facts?: ErrorFacts
}

const daySeconds = 86_400

const lost: Verdict = {
  errorClass: 'auth',
  text: 'YouTube does not accept the connection any more: connect the account again.',
}
const permission = (text: string): Verdict => ({ errorClass: 'permission', text })
const notAllowed = permission(
  'YouTube was not allowed to publish for this account: connect it again and allow everything.',
)
const closed = permission('The Google account of this YouTube channel is closed or suspended.')
const misconfigured: Verdict = {
  errorClass: 'permission',
  text: 'The YouTube API is not switched on for this service: its operator must look after it.',
  facts: { operator: true },
}
const refused: Verdict = { errorClass: 'invalid', text: 'YouTube refused the video' }
/** No Retry-After is promised. */
const limited: Verdict = {
  errorClass: 'rate',
  text: 'YouTube takes no more calls for a while.',
  facts: { retryAfterSeconds: 30 },
}

/** YouTube's reasons (platforms-b, 5.4); a text without a full stop is followed by YouTube's own. */
const verdicts = new Map<string, Verdict>([
  ['authError', lost],
  ['required', lost],
  [
    'youtubeSignupRequired',
    permission('The Google account has no YouTube channel: create one, then connect it again.'),
  ],
  ['insufficientPermissions', notAllowed],
  ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', notAllowed],
  // A grant that lacks something is told by a finer name.
  ['forbidden', { errorClass: 'blocked', text: 'YouTube does not let this channel publish the video' }],
  ['authenticatedUserAccountClosed', closed],
  ['authenticatedUserAccountSuspended', closed],
  ['accessNotConfigured', misconfigured],
  ['SERVICE_DISABLED', misconfigured],
  ['rateLimitExceeded', limited],
  ['userRateLimitExceeded', limited],
  [
    'uploadLimitExceeded',
    {
      errorClass: 'rate',
      text: 'YouTube takes no more videos of this channel today: post again tomorrow.',
      facts: { retryAfterSeconds: daySeconds },
    },
  ],
  ['invalidTitle', { errorClass: 'invalid', text: 'YouTube refused the title' }],
  ['invalidDescription', { errorClass: 'invalid', text: 'YouTube refused the text' }],
  ['invalidTags', { errorClass: 'invalid', text: 'YouTube refused the tags' }],
  ['invalidCategoryId', { errorClass: 'invalid', text: 'YouTube does not know this category here' }],
])

/** The quota is one for the whole service, and begins anew each day. */
const quotaUsedUp = (nowMs: number): Verdict => ({
  errorClass: 'quota',
  text: 'This service may send no more videos to YouTube today.',
  facts: { retryAfterSeconds: secondsToPacificMidnight(nowMs), operator: true },
})

const ErrorBody = z.object({
  error: z.object({
    message: z.optional(z.string()),
    status: z.optional(z.string()),
    errors: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))),
    details: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))),
  }),
})

const quotaReasons = new Set(['quotaExceeded', 'dailyLimitExceeded'])

const verdictOf = (reasons: readonly string[], { status, nowMs }: ErrorResponse): Verdict => {
  if (reasons.some((reason) => quotaReasons.has(reason))) return quotaUsedUp(nowMs)
  const [known] = reasons.flatMap((reason) => verdicts.get(reason) ?? [])
  if (known !== undefined) return known
  if (status === 401) return lost
  return status === 429 ? limited : refused
}

/** Sorts a refusal by its reason. */
export const sortYouTube = (answer: ErrorResponse): PlatformError => {
  const { message = '', errors = [], details = [] } = z.safeParse(ErrorBody, answer.body).data?.error ?? {}
  // The finer reason, where there is one, is among the details.
  const reasons = [...details, ...errors].flatMap(({ reason }) => reason ?? [])
  const { errorClass, text, facts } = verdictOf(reasons, answer)
  const [code = ''] = reasons
  const words = shorten(message || code || `HTTP ${answer.status}`)
  return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${words}`, {
    httpStatus: answer.status,
    code,
    detail: words,
    ...facts,
  })
}
