import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterSeconds, shorten } from '../http.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from '../platform-error.ts'

const lost = 'X does not accept the connection any more: connect the account again.'
const limited = 'X takes no more calls for this account for a while.'
const outOfCredits = 'The app of this service has used up its credits at X: its operator must look after it.'
const refused = 'X refused the post'

type Verdict = readonly [ErrorClass, string, ErrorFacts?]

const suspended: Verdict = ['permission', 'X has suspended this account.']
const noReply: Verdict = ['blocked', 'X does not allow this reply.']

/** By the last segment of the problem's type: both hosts of X occur in it (platforms-a, 1.7). */
const bySlug = new Map<string, Verdict>([
  ['unsupported-authentication', ['auth', lost]],
  ['client-forbidden', ['transient', 'X refuses the app of this service.', { operator: true }]],
  ['user-suspended', suspended],
  ['credits', ['quota', outOfCredits, { operator: true, retryAfterSeconds: 900 }]],
  ['credits-depleted', ['quota', outOfCredits, { operator: true, retryAfterSeconds: 900 }]],
  ['usage-capped', ['quota', outOfCredits, { operator: true, retryAfterSeconds: 900 }]],
])

/** Words about the author of another post, whom a reply would reach; the account itself is fine. */
const aboutOthers = /blocked from the author|\bauthor\b[^.]*\bsuspended\b/i

/** By X's words, where the type says nothing; a text without a full stop is followed by X's own. */
const byWords: readonly (readonly [RegExp, Verdict])[] = [
  [/duplicate content/i, ['duplicate', 'X has this very post already: change its text.']],
  [/reply to this conversation is not allowed/i, ['invalid', noReply[1]]],
  [/\b(your|this) account\b[^.]*\bsuspended\b/i, suspended],
  [
    /\b(your|this) account\b[^.]*\blocked\b/i,
    ['blocked', 'X has locked this account for a while: log in at X to unlock it.'],
  ],
  [/not permitted to access this feature/i, ['blocked', 'X does not let this account use that feature']],
  [/media ids are invalid/i, ['transient', 'X dropped the uploaded media.', { preparedGone: true }]],
]

const Problem = z.object({
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
  type: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ message: z.optional(z.string()) }))),
})

const waitSeconds = ({ headers, nowMs }: ErrorResponse): number => {
  // When the day is used up, its end counts, not that of the quarter of an hour.
  const dayUsedUp = headers['x-user-limit-24hour-remaining'] === '0'
  const reset = Number(headers[dayUsedUp ? 'x-user-limit-24hour-reset' : 'x-rate-limit-reset'])
  if (Number.isFinite(reset) && reset > 0) return Math.max(1, Math.ceil(reset - nowMs / 1000)) + 1
  return retryAfterSeconds(headers) ?? 60
}

const verdictOf = (status: number, slug: string, words: string, named: boolean): Verdict => {
  if (aboutOthers.test(words)) return noReply
  const known = bySlug.get(slug) ?? byWords.find(([pattern]) => pattern.test(words))?.[1]
  if (known) return known
  if (status === 401) return ['auth', lost]
  if (status === 402) return ['quota', outOfCredits, { operator: true, retryAfterSeconds: 900 }]
  // Without a problem it was the edge that answered.
  return named ? ['invalid', refused] : ['transient', 'X could not be reached.']
}

/** Sorts a refusal: by its problem first, by its words second, by its status last. */
export const sortX = (answer: ErrorResponse): PlatformError => {
  const problem = z.safeParse(Problem, answer.body)
  const { title = '', detail = '', type = '', errors = [] } = problem.data ?? {}
  const slug = type.split('/').at(-1) ?? ''
  const words = shorten([detail || title, ...errors.map(({ message = '' }) => message)].filter(Boolean).join(' '))
  const facts = { httpStatus: answer.status, code: slug, detail: words }
  if (answer.status === 429 && !bySlug.has(slug)) {
    return new PlatformError('rate', limited, { ...facts, retryAfterSeconds: waitSeconds(answer) })
  }
  const [errorClass, text, more] = verdictOf(answer.status, slug, words, problem.success)
  return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${words}`, { ...facts, ...more })
}
