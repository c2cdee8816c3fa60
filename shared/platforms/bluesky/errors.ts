import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterSeconds, shorten } from '../http.ts'
import { type ErrorClass, PlatformError } from '../platform-error.ts'

const lost = 'Bluesky does not accept the connection any more: connect the account again.'
const refused = 'Bluesky refused the post'

/** Bluesky's error names with their class and our words (platforms-a, 2.12); a text without a full stop is followed by Bluesky's own. */
const verdicts = new Map<string, readonly [ErrorClass, string]>([
  ['AuthenticationRequired', ['auth', lost]],
  ['AuthMissing', ['auth', lost]],
  ['ExpiredToken', ['auth', lost]],
  ['InvalidToken', ['auth', lost]],
  ['AccountNotFound', ['auth', lost]],
  ['AuthFactorTokenRequired', ['auth', 'This is not an app password: create one in the settings of Bluesky.']],
  ['AccountDeactivated', ['permission', 'The Bluesky account is deactivated: activate it, then connect it again.']],
  ['AccountTakedown', ['permission', 'The Bluesky account was taken down by its server.']],
  ['BlobNotFound', ['transient', 'Bluesky dropped the uploaded media.']],
  ['InvalidSwap', ['transient', 'Bluesky holds another record in this place.']],
  ['InvalidRequest', ['invalid', refused]],
  ['PayloadTooLarge', ['invalid', refused]],
])

const byStatus = (status: number, named: boolean): readonly [ErrorClass, string] => {
  if (status === 401) return ['auth', lost]
  // Without a name it was not the account's server that answered.
  if (!named) return ['transient', 'Bluesky could not be reached.']
  // What ends a session or an account has a name of its own above.
  return status === 403 ? ['blocked', 'Bluesky does not allow this account to do that'] : ['invalid', refused]
}

const ErrorBody = z.object({ error: z.string(), message: z.optional(z.string()) })

const waitSeconds = ({ headers, nowMs }: ErrorResponse) => {
  const reset = Number(headers['ratelimit-reset'])
  const untilReset = Number.isFinite(reset) ? Math.max(1, Math.ceil(reset - nowMs / 1000)) : 60
  return retryAfterSeconds(headers) ?? untilReset
}

/** Sorts a refusal: by its name first, by its status second. */
export const sortBluesky = (answer: ErrorResponse): PlatformError => {
  const body = z.safeParse(ErrorBody, answer.body)
  const { error: code = '', message: words = '' } = body.data ?? {}
  const gone = code === 'BlobNotFound' ? { preparedGone: true } : {}
  const taken = code === 'InvalidSwap' ? { keyTaken: true } : {}
  const facts = { httpStatus: answer.status, code, detail: shorten(words), ...gone, ...taken }
  if (answer.status === 429) {
    const text = 'Bluesky takes no more calls for this account for a while.'
    return new PlatformError('rate', text, { ...facts, retryAfterSeconds: waitSeconds(answer) })
  }
  const [errorClass, text] = verdicts.get(code) ?? byStatus(answer.status, body.success)
  return new PlatformError(
    errorClass,
    text.endsWith('.') ? text : `${text}: ${shorten(words || code || `HTTP ${answer.status}`)}`,
    facts,
  )
}
