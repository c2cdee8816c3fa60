import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterOf } from '../http.ts'
import { type Classification, classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'

const name = 'Bluesky'

const { accessRevoked, postRejected } = commonErrors

/** Bluesky's error names (lexicons com.atproto.server and com.atproto.repo). */
const byName = new Map<string, Classification>([
  ['AuthenticationRequired', accessRevoked],
  ['AuthMissing', accessRevoked],
  ['ExpiredToken', accessRevoked],
  ['InvalidToken', accessRevoked],
  ['AccountNotFound', accessRevoked],
  ['AuthFactorTokenRequired', ['auth', 'requires an app password. Create one in the settings of Bluesky.']],
  ['AccountDeactivated', ['permission', 'account is deactivated. Activate it, then reconnect it.']],
  ['AccountTakedown', ['permission', 'account was taken down by its server.']],
  ['BlobNotFound', ['transient', 'dropped the uploaded media.', { preparedGone: true }]],
  ['InvalidSwap', ['transient', 'stores another record under this key.', { keyTaken: true }]],
  ['InvalidRequest', postRejected],
  ['PayloadTooLarge', postRejected],
])

const byStatus = (status: number, named: boolean): Classification => {
  if (status === 401) return accessRevoked
  // Without a name it was not the account's server that answered.
  if (!named) return commonErrors.unreachable
  // What ends a session or an account has a name of its own above.
  return status === 403 ? ['blocked', 'does not allow this account to do that'] : postRejected
}

const ErrorBody = z.object({ error: z.string(), message: z.optional(z.string()) })

const waitSeconds = (response: ErrorResponse) => {
  const reset = Number(response.headers['ratelimit-reset'])
  const untilReset = Number.isFinite(reset) ? Math.max(1, Math.ceil(reset - response.nowMs / 1000)) : 60
  return retryAfterOf(response) ?? untilReset
}

/** Classifies an error response by its name, then by its status. */
export const classifyBlueskyError = (response: ErrorResponse): PlatformError => {
  const body = z.safeParse(ErrorBody, response.body)
  const { error: code = '', message = '' } = body.data ?? {}
  const info = { httpStatus: response.status, code, detail: shortDetail(message) }
  if (response.status === 429) {
    return classified(name, commonErrors.rateLimited, { ...info, retryAfterSeconds: waitSeconds(response) })
  }
  const classification = byName.get(code) ?? byStatus(response.status, body.success)
  return classified(name, classification, info, shortDetail(message || code || `HTTP ${response.status}`))
}
