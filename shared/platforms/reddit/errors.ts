import * as z from 'zod/mini'
import { type ErrorResponse, shorten } from '../http.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from '../platform-error.ts'

const lost = 'Reddit does not accept the connection any more: connect the account again.'
const refused = 'Reddit refused the post'

/** What a refusal says, in whichever of its shapes (platforms-b, 6.8). */
interface Said {
  code: string
  words: string
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
const waitIn = (words: string): number | undefined => {
  const [, number, unit = ''] = /(\d+) (second|minute|hour)/.exec(words) ?? []
  const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 }
  return number === undefined ? undefined : Number(number) * (seconds[unit] ?? 60)
}

const readSaid = (body: unknown): Said | undefined => {
  const posted = z.safeParse(inPost, body).data?.json
  const [first] = posted?.errors ?? []
  if (posted && first) {
    const words = first[1] ?? ''
    return { code: first[0], words, waitSeconds: posted.ratelimit ?? waitIn(words) }
  }
  const submitted = z.safeParse(onSubmit, body).data
  if (submitted) return { code: submitted.reason, words: submitted.explanation || submitted.message || '' }
  const other = z.safeParse(plain, body).data
  return other && { code: other.reason ?? '', words: other.message }
}

const limited = 'Reddit takes no more posts from this account for a while.'
const noSubreddit = 'The subreddit does not exist: choose another one.'
const noAccess = 'Reddit does not let this account post in the subreddit'

const missingBy = (text: string) => (text === noSubreddit ? { notFound: true } : {})

type Verdict = readonly [ErrorClass, string, number?]

/** Reddit's error names with their class and our words; a text without a full stop is followed by Reddit's own. */
const verdicts = new Map<string, Verdict>([
  ['USER_REQUIRED', ['auth', lost]],
  ['RATELIMIT', ['rate', limited, 600]],
  ['SUBREDDIT_RATELIMIT', ['rate', limited, 600]],
  ['QUOTA_FILLED', ['rate', limited, 3600]],
  ['SUBREDDIT_NOTALLOWED', ['invalid', noAccess]],
  ['SUBREDDIT_NO_ACCESS', ['invalid', noAccess]],
  ['BANNED_FROM_SUBREDDIT', ['invalid', noAccess]],
  ['IN_TIMEOUT', ['blocked', 'Reddit has suspended this account for a while']],
  [
    'ALREADY_SUB',
    ['duplicate', 'The link was posted in this subreddit before: send `resubmit: true` to post it again.'],
  ],
  ['SUBREDDIT_NOEXIST', ['invalid', noSubreddit]],
])

/** Sorts what Reddit has against a post, which mostly comes with a 200; unknown names are refusals, too. */
export const sortSaid = ({ status }: ErrorResponse, { code, words, waitSeconds }: Said): PlatformError => {
  const [errorClass, text, wait] = verdicts.get(code) ?? (['invalid', refused] as const)
  const detail = shorten(words || code)
  const facts: ErrorFacts = { httpStatus: status, code, detail, ...missingBy(text) }
  const after = wait === undefined ? {} : { retryAfterSeconds: waitSeconds ?? wait }
  return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${detail}`, { ...facts, ...after })
}

/** What an answer has against the post, although its status is 200. */
export const errorIn = (answer: ErrorResponse): PlatformError | undefined => {
  const said = z.safeParse(inPost, answer.body).success ? readSaid(answer.body) : undefined
  return said && sortSaid(answer, said)
}

const byStatus = ({ status, headers }: ErrorResponse, named: boolean): Verdict => {
  if (status === 401) return ['auth', lost]
  if (status === 403 && /insufficient_scope/.test(headers['www-authenticate'] ?? '')) {
    return ['auth', 'Reddit was not given all that publishing needs: connect the account again.']
  }
  // Without JSON it was not the API that answered.
  if (!named) return ['transient', 'Reddit is busy.']
  if (status === 403) return ['invalid', noAccess]
  if (status === 404) return ['invalid', noSubreddit]
  return ['invalid', refused]
}

/** Sorts a refusal that came with a status of its own. */
export const sortReddit = (answer: ErrorResponse): PlatformError => {
  const { status, headers } = answer
  const said = readSaid(answer.body)
  if (status === 429) {
    const reset = Number(headers['x-ratelimit-reset'])
    const retryAfterSeconds = Number.isFinite(reset) && reset > 0 ? Math.ceil(reset) : 60
    return new PlatformError('rate', 'Reddit takes no more calls for a while.', {
      httpStatus: status,
      retryAfterSeconds,
    })
  }
  if (said && verdicts.has(said.code)) return sortSaid(answer, said)
  const [errorClass, text] = byStatus(answer, said !== undefined)
  const detail = shorten(said?.words || said?.code || '')
  const facts = { httpStatus: status, detail, ...missingBy(text), ...(said?.code ? { code: said.code } : {}) }
  return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${detail}`, facts)
}
