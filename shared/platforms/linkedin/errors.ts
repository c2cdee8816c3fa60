import * as z from 'zod/mini'
import { dayMs } from '../../time.ts'
import type { PlatformCall } from '../adapter.ts'
import type { ErrorResponse } from '../http.ts'
import { type Classification, classified, commonErrors, PlatformError, shortDetail } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'

const name = 'LinkedIn'

const ErrorBody = z.object({ message: z.optional(z.string()), code: z.optional(z.string()) })

const outdated: Classification = [
  'transient',
  'no longer supports the API version of this service. Contact the operator of this service.',
  { operator: true, apiEnded: true },
]
/** LinkedIn never states how long to wait. */
const limited: Classification = [...commonErrors.rateLimited, { retryAfterSeconds: 60 }]
/** "This resource is forbidden" and similar errors are transient; they say nothing about the grant. */
const forbidden: Classification = ['transient', 'rejects the post at the moment']

/** How far LinkedIn's clock and ours may be apart. */
export const clockSkewMs = 5_000

/** A post by its URN. */
export const postOf = (urn: string): PublishedPost => ({ id: urn, url: `https://www.linkedin.com/feed/update/${urn}/` })

const duplicate = (message: string): Classification => {
  const [urn] = /urn:li:(?:share|ugcPost):\d+/.exec(message) ?? []
  const sentence = 'rejected the post as a duplicate. The same text was posted a short while ago.'
  return ['duplicate', sentence, urn === undefined ? {} : { original: postOf(urn) }]
}

const isDuplicate = (code: string, message: string) =>
  code === 'DUPLICATE_POST' || /content is a duplicate/i.test(message)
const isAboutRights = (code: string, message: string) =>
  code === 'ACCESS_DENIED' || /not enough permissions|organization permissions/i.test(message)
const isUnready = (message: string) => /not (?:yet )?(?:ready|available)|still processing/i.test(message)

const classify = (status: number, code: string, message: string): Classification => {
  if (code === 'VERSION_MISSING' || code === 'NONEXISTENT_VERSION' || status === 426) return outdated
  if (status === 401) return commonErrors.accessRevoked
  if (/unpermitted fields/i.test(message)) return commonErrors.postRejected
  if (status === 403) return isAboutRights(code, message) ? commonErrors.scopesMissing : forbidden
  if (status === 429) return limited
  if (status === 409) return commonErrors.unavailable
  if (status === 422 && isDuplicate(code, message)) return duplicate(message)
  // Also returned for posts that were created.
  if (/unable to obtain activity/i.test(message)) return commonErrors.mayBeLive
  return isUnready(message) ? commonErrors.stillProcessing : commonErrors.postRejected
}

/** Classifies an error response by status, code, and message (Posts API, Error handling). */
export const classifyLinkedInError = (response: ErrorResponse): PlatformError => {
  const { message = '', code = '' } = z.safeParse(ErrorBody, response.body).data ?? {}
  const detail = shortDetail(message || code || `HTTP ${response.status}`)
  return classified(name, classify(response.status, code, message), { httpStatus: response.status, code, detail })
}

/**
 * LinkedIn reports a rate limit of a minute and the daily one with the same message. One that lasts for more than a minute
 * is that of the day, which ends at midnight, UTC (LinkedIn, Rate Limiting).
 */
export const throttled = ({ ctx, post }: PlatformCall, error: unknown): unknown => {
  const now = ctx.clock.now()
  const isLong = now - post.scheduledAtMs > 55_000
  if (!(error instanceof PlatformError) || error.errorClass !== 'rate' || !isLong) return error
  // Not all at the stroke of midnight.
  const retryAfterSeconds = Math.ceil((dayMs - (now % dayMs)) / 1000) + Math.round(Math.random() * 60)
  const text = 'LinkedIn daily limit reached for this account. Try again tomorrow.'
  return new PlatformError('quota', text, { ...error.info, retryAfterSeconds })
}
