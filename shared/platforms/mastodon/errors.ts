import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterOf } from '../http.ts'
import { type Classification, classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'

const name = 'Mastodon'

const { accessRevoked, postRejected, scopesMissing } = commonErrors

/**
 * A 403 that concerns the account itself, not one call (Mastodon source, Api::BaseController, 2026-11-26). Pleroma and
 * Akkoma answer 403 for a token that is dead (Pleroma source, EnsureAuthenticatedPlug), and word a missing scope on their
 * own, as GoToSocial does (OAuthScopesPlug; GoToSocial source, TokenAuth; both read 2026-11-28).
 */
const accountErrors: readonly (readonly [RegExp, Classification])[] = [
  [/^Invalid credentials\.?$/i, accessRevoked],
  [/outside the authorized scopes|^Insufficient permissions: |token has insufficient scope/i, scopesMissing],
  [/login is currently disabled/i, ['permission', 'account is disabled or suspended. Ask its server.']],
  [/login is currently pending approval/i, ['permission', 'account waits for the approval of its server.']],
  [/missing a confirmed e-?mail/i, ['permission', 'account has no confirmed email address. Confirm it.']],
]

export const mediaGone: Classification = ['transient', 'dropped the uploaded media.', { preparedGone: true }]

/** A 422 that another try may resolve. */
const mediaErrors: readonly (readonly [RegExp, Classification])[] = [
  [/have not finished processing/i, commonErrors.stillProcessing],
  [/^Media [\d, ]+ not found/i, mediaGone],
]

const sentenceIn = (list: readonly (readonly [RegExp, Classification])[], message: string) =>
  list.find(([pattern]) => pattern.test(message))?.[1]

const byStatus = (status: number, message: string): Classification => {
  if (status === 401) return accessRevoked
  if (status === 403) return sentenceIn(accountErrors, message) ?? ['blocked', 'does not allow this account to do that']
  if (status === 404) return ['invalid', 'does not have what the post refers to', { notFound: true }]
  if (status === 410) return ['blocked', 'no longer serves this account', { notFound: true }]
  if (status === 413) return ['invalid', 'does not accept files of this size on this server.']
  return sentenceIn(mediaErrors, message) ?? postRejected
}

const ErrorBody = z.object({ error: z.string(), error_description: z.optional(z.string()) })

/** Until the time in a header (Mastodon documentation, Rate limits); a minute without one. */
const waitSeconds = (response: ErrorResponse): number => {
  const resetMs = Date.parse(response.headers['x-ratelimit-reset'] ?? '')
  const untilReset = Number.isNaN(resetMs) ? 60 : Math.max(1, Math.ceil((resetMs - response.nowMs) / 1000))
  return retryAfterOf(response) ?? untilReset
}

/** Classifies an error response: its body has a sentence in the language of the server, and no code. */
export const classifyMastodonError = (response: ErrorResponse): PlatformError => {
  const { status } = response
  const { error = '', error_description: description } = z.safeParse(ErrorBody, response.body).data ?? {}
  const message = description ?? error
  const info = { httpStatus: status, detail: shortDetail(message || `HTTP ${status}`) }
  if (status === 429) {
    return classified(name, commonErrors.rateLimited, { ...info, retryAfterSeconds: waitSeconds(response) })
  }
  return classified(name, byStatus(status, message), info)
}
