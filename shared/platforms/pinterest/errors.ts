import * as z from 'zod/mini'
import { type ErrorResponse, shorten } from '../http.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from '../platform-error.ts'

interface Verdict {
  errorClass: ErrorClass
  text: string
  facts?: ErrorFacts
}

const ErrorBody = z.object({ code: z.optional(z.number()), message: z.string() })

/** A 403 with this code is about the board or about the whole account: `publish.ts` finds out which. */
export const notPermitted = '29'

const lost = 'Pinterest does not accept the connection any more: connect the account again.'

const spamSeconds = 3600

const limited = ({ headers }: ErrorResponse, words: string): Verdict => {
  const reset = Number(headers['x-ratelimit-reset'])
  const known = Number.isFinite(reset) && reset > 0 ? Math.ceil(reset) : 60
  const retryAfterSeconds = /spam/i.test(words) ? spamSeconds : known
  return { errorClass: 'rate', text: 'Pinterest takes no more Pins for a while.', facts: { retryAfterSeconds } }
}

/** What a refusal means (platforms-b, 4.6): the status first, the words second, since the numbers vary. */
const verdictOf = (answer: ErrorResponse, words: string): Verdict => {
  if (answer.status === 401) return { errorClass: 'auth', text: lost }
  if (answer.status === 429) return limited(answer, words)
  if (answer.status === 403 && /trial access/i.test(words)) {
    const text = 'The Pinterest app of this service has trial access only: its operator must apply for more.'
    return { errorClass: 'permission', text, facts: { operator: true } }
  }
  if (/spam|we blocked/i.test(words)) return { errorClass: 'blocked', text: 'Pinterest has blocked the Pin' }
  if (answer.status === 404 && /board/i.test(words)) {
    return { errorClass: 'invalid', text: 'The Pinterest board does not exist any more: choose another one.' }
  }
  if (answer.status === 400 && /unable to reach the url|fetch/i.test(words)) {
    return { errorClass: 'transient', text: 'Pinterest could not load the image.' }
  }
  // Without JSON it was not the API that answered.
  if (words === '') return { errorClass: 'transient', text: 'Pinterest is busy.' }
  return { errorClass: 'invalid', text: 'Pinterest refused the request' }
}

/** Sorts a refusal; a text without a full stop is followed by Pinterest's own. */
export const sortPinterest = (answer: ErrorResponse): PlatformError => {
  const { data: body } = z.safeParse(ErrorBody, answer.body)
  const words = shorten(body?.message ?? '')
  const { errorClass, text, facts } = verdictOf(answer, words)
  return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${words}`, {
    httpStatus: answer.status,
    ...(body?.code === undefined ? {} : { code: String(body.code) }),
    detail: words,
    ...facts,
  })
}
