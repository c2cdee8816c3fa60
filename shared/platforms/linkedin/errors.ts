import * as z from 'zod/mini'
import { type ErrorResponse, shorten } from '../http.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'

interface Verdict {
  errorClass: ErrorClass
  text: string
  facts?: ErrorFacts
}

const ErrorBody = z.object({ message: z.optional(z.string()), code: z.optional(z.string()) })

const lost: Verdict = {
  errorClass: 'auth',
  text: 'LinkedIn does not accept the connection any more: connect the account again.',
}
const notAllowed: Verdict = {
  errorClass: 'permission',
  text: 'LinkedIn was not allowed to publish for this account: connect it again with all rights.',
}
const outdated: Verdict = {
  errorClass: 'transient',
  text: 'LinkedIn does not answer to this version any more: the operator must update the service.',
  facts: { operator: true },
}
/** LinkedIn never says how long to wait. */
const limited: Verdict = {
  errorClass: 'rate',
  text: 'LinkedIn takes no more posts for a while.',
  facts: { retryAfterSeconds: 60 },
}
const busy: Verdict = { errorClass: 'transient', text: 'LinkedIn is busy.' }
const unready: Verdict = { errorClass: 'transient', text: 'LinkedIn is still processing the media.' }
/** "This resource is forbidden" and the like come and go; they say nothing of the grant. */
const forbidden: Verdict = { errorClass: 'transient', text: 'LinkedIn refuses the post at the moment' }
/** Said of posts that were made all the same (platforms-a, 5.7). */
const unsaid: Verdict = { errorClass: 'unknown', text: 'LinkedIn gave no clear answer: the post may be live.' }
const refused: Verdict = { errorClass: 'invalid', text: 'LinkedIn refused the post' }

/** A post as it is known by its URN. */
export const postOf = (urn: string): PublishedPost => ({ id: urn, url: `https://www.linkedin.com/feed/update/${urn}/` })

const repeated = (words: string): Verdict => {
  const [urn] = /urn:li:(?:share|ugcPost):\d+/.exec(words) ?? []
  const text = 'LinkedIn refuses a repeat: the same text was posted a short while ago.'
  return { errorClass: 'duplicate', text, ...(urn === undefined ? {} : { facts: { original: postOf(urn) } }) }
}

const isRepeat = (code: string, words: string) => code === 'DUPLICATE_POST' || /content is a duplicate/i.test(words)
const isAboutRights = (code: string, words: string) => code === 'ACCESS_DENIED' || /not enough permissions/i.test(words)
const isUnready = (words: string) => /not (?:yet )?(?:ready|available)|still processing/i.test(words)

const verdictOf = (status: number, code: string, words: string): Verdict => {
  if (code === 'VERSION_MISSING' || code === 'NONEXISTENT_VERSION' || status === 426) return outdated
  if (status === 401) return lost
  if (status === 403) return isAboutRights(code, words) ? notAllowed : forbidden
  if (status === 429) return limited
  if (status === 409) return busy
  if (status === 422 && isRepeat(code, words)) return repeated(words)
  if (/unable to obtain activity/i.test(words)) return unsaid
  return isUnready(words) ? unready : refused
}

/** Sorts a refusal (platforms-a, 5.7); a text without a full stop is followed by LinkedIn's own. */
export const sortLinkedIn = (answer: ErrorResponse): PlatformError => {
  const { message = '', code = '' } = z.safeParse(ErrorBody, answer.body).data ?? {}
  const { errorClass, text, facts } = verdictOf(answer.status, code, message)
  const words = shorten(message || code || `HTTP ${answer.status}`)
  return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${words}`, {
    httpStatus: answer.status,
    code,
    detail: words,
    ...facts,
  })
}
