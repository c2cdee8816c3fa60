import { cutText } from '../text/cut.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from './platform-error.ts'

/**
 * What an error response means: its class, a sentence that continues the platform's name, and more facts. A sentence
 * without a full stop is followed by the platform's own words.
 */
export type Classification = readonly [errorClass: ErrorClass, sentence: string, facts?: ErrorFacts]

/** The errors that all platforms share. */
export const commonErrors = {
  accessRevoked: ['auth', 'access was revoked or expired. Reconnect the account.'],
  scopesMissing: [
    'permission',
    'access lacks permissions that publishing needs. Reconnect the account and grant all of them.',
  ],
  appRejected: [
    'permission',
    "rejected this service's app credentials. Contact the operator of this service.",
    { operator: true },
  ],
  rateLimited: ['rate', 'rate limit reached for this account. Try again later.'],
  dailyLimitReached: ['rate', 'daily limit reached for this account. Try again tomorrow.'],
  unavailable: ['transient', 'is temporarily unavailable.'],
  unreachable: ['transient', 'could not be reached.'],
  noClearResponse: ['transient', 'did not return a clear response.'],
  mayBeLive: ['unknown', 'did not return a clear response. The post may be live.'],
  stillProcessing: ['transient', 'is still processing the media.'],
  mediaNotFetched: ['transient', 'could not download the media.'],
  loginRejected: ['invalid', 'rejected the login. Start it again.'],
  postRejected: ['invalid', 'rejected the post'],
} as const satisfies Record<string, Classification>

const maxDetail = 500

/** The platform's own words as stored and shown. */
export const shortDetail = (words: string): string => {
  const kept = cutText(words, maxDetail)
  return kept === words ? words : `${kept}…`
}

/** A message that starts with the platform's name; `words` are the platform's own. */
export const messageOf = (name: string, sentence: string, words = ''): string =>
  sentence.endsWith('.') ? `${name} ${sentence}` : `${name} ${sentence}: ${words}`

/** The error of a classified response. Facts of the classification win over those of the response. */
export const classified = (
  name: string,
  [errorClass, sentence, more]: Classification,
  facts: ErrorFacts = {},
  words: string = facts.detail ?? '',
): PlatformError => new PlatformError(errorClass, messageOf(name, sentence, words), { ...facts, ...more })
