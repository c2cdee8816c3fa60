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
  // Without an error name, the response did not come from the account's server.
  if (!named) return commonErrors.unreachable
  // Errors that end a session or an account have a separate name above.
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

/** The least time between two tries while the daily allowance of videos is used up. */
const allowanceSeconds = 3600

/** What the video service objects to about an account, by its error text (bluesky-social/social-app, composer, 2026-08). */
const classifyAccountText = (text: string): Classification =>
  /unconfirmed_email|confirm your email/i.test(text)
    ? [
        'blocked',
        'accepts no videos from an account whose email address is not confirmed. Confirm it in the settings of Bluesky.',
      ]
    : ['quota', 'accepts no video from this account now', { retryAfterSeconds: allowanceSeconds }]

/** The account may not upload a video now. */
export const videoNotAllowed = (reason: string): PlatformError =>
  classified(name, classifyAccountText(reason), { detail: shortDetail(reason) })

/** The sentences in which the video service is about the account, not about the file. */
const isAboutAccount = /unconfirmed_email|confirm your email|not allowed|disabled|exceeded|not old enough/i

/**
 * Classifies an error response of the video service, which is the same for all servers. It never ends the connection:
 * the service knows only a token that the account's server has signed for one call.
 */
export const classifyVideoError = (response: ErrorResponse): PlatformError => {
  const { status } = response
  const { error: code = '', message = code } = z.safeParse(ErrorBody, response.body).data ?? {}
  const info = { httpStatus: status, code, detail: shortDetail(message) }
  if (status === 429) {
    return classified(name, commonErrors.rateLimited, { ...info, retryAfterSeconds: waitSeconds(response) })
  }
  const text = `${code} ${message}`
  if (isAboutAccount.test(text)) return classified(name, classifyAccountText(text), info)
  if (status === 400 || status === 413) return classified(name, ['invalid', 'rejected the video'], info)
  return classified(name, ['transient', 'did not accept the upload of the video'], info, message || `HTTP ${status}`)
}

const ofFailure: Readonly<Record<string, Classification>> = {
  validation_failure: ['invalid', 'rejected the video'],
  pds_upload_unsupported_blob_size: ['invalid', 'server of this account does not store videos of this size'],
}

/** Why a video was not processed: after a transient failure it is uploaded again (lexicon app.bsky.video.defs, failureCode). */
export const classifyFailedVideo = (code: string, reason: string): PlatformError => {
  const again: Classification = ['transient', 'could not process the video', { preparedGone: true }]
  return classified(name, ofFailure[code] ?? again, { code, detail: shortDetail(reason || code || 'no reason given') })
}
