import * as z from 'zod/mini'
import type { ErrorResponse } from '../http.ts'
import { type Classification, classified, commonErrors, PlatformError, shortDetail } from '../platform-error.ts'

const name = 'TikTok'

const { accessRevoked, scopesMissing, unavailable, postRejected, dailyLimitReached } = commonErrors
const daySeconds = 86_400
/** The limits are sliding windows of a minute; TikTok does not document a Retry-After. */
const limited: Classification = [...commonErrors.rateLimited, { retryAfterSeconds: 60 }]
const invalid = (sentence: string): Classification => ['invalid', sentence]
const blocked = (sentence: string): Classification => ['blocked', sentence]
/** Only posting is blocked; the connection works, and a ban may end. */
const banned = blocked('banned this account from posting.')

/** TikTok's error codes (Content Posting API). */
const byCode = new Map<string, Classification>([
  ['access_token_invalid', accessRevoked],
  ['scope_not_authorized', scopesMissing],
  ['scope_permission_missed', scopesMissing],
  ['rate_limit_exceeded', limited],
  ['spam_risk_too_many_posts', dailyLimitReached],
  ['spam_risk_too_many_pending_share', dailyLimitReached],
  [
    'unaudited_client_can_only_post_to_private_accounts',
    [
      'permission',
      'has not audited the app of this service. Until then it can post to private accounts only, as SELF_ONLY.',
      { operator: true },
    ],
  ],
  ['spam_risk_user_banned_from_posting', banned],
  [
    'url_ownership_unverified',
    [
      'permission',
      'may not fetch photos from this service, whose media domain is not verified in its TikTok app.',
      { operator: true },
    ],
  ],
  ['privacy_level_option_mismatch', invalid('does not offer this privacy level to the account. Choose another one.')],
  ['internal_error', unavailable],
])

/** The cap of posting users for the whole app resets with the day (UTC). */
const capReached = (nowMs: number): Classification => [
  'quota',
  'daily limit of posting users reached for this service. Try again tomorrow.',
  { retryAfterSeconds: daySeconds - (Math.floor(nowMs / 1000) % daySeconds), operator: true },
]

const draftsNotPermitted: Classification = [
  'permission',
  'does not let this service send drafts for the account. Reconnect the account and grant all permissions. If the login does not ask for drafts, the operator of this service has not enabled them.',
  { otherPostsWork: true },
]

/** The error of a draft: an account without the scope for drafts publishes everything else, and stays connected. */
export const ofDraft = (error: unknown): unknown => {
  const lacksScope = error instanceof PlatformError && /^scope_/.test(error.info.code ?? '')
  return lacksScope ? classified(name, draftsNotPermitted, error.info) : error
}

const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.optional(z.string()) }) })

const classify = (code: string, { status, nowMs }: ErrorResponse): Classification => {
  if (code === 'reached_active_user_cap') return capReached(nowMs)
  if (status === 401) return byCode.get(code) ?? accessRevoked
  if (status === 429) return limited
  return byCode.get(code) ?? postRejected
}

/** Classifies an error by its code, including one with HTTP 200. */
export const classifyTikTokError = (response: ErrorResponse): PlatformError => {
  const { code = '', message = '' } = z.safeParse(ErrorBody, response.body).data?.error ?? {}
  const detail = shortDetail(message || code || `HTTP ${response.status}`)
  return classified(name, classify(code, response), { httpStatus: response.status, code, detail })
}

/** Why a video was not published after its upload (Content Posting API, Get Post Status, fail_reason). */
const byFailReason = new Map<string, Classification>([
  ['file_format_check_failed', invalid('cannot read the video. Send H.264 or H.265 in MP4 or MOV.')],
  ['duration_check_failed', invalid('rejected the video as too short or too long for this account.')],
  ['frame_rate_check_failed', invalid('accepts videos of 23 to 60 frames per second only.')],
  ['picture_size_check_failed', invalid('accepts videos of 360 to 4096 pixels on each side only.')],
  ['publish_cancelled', invalid('post was canceled at TikTok.')],
  ['spam_risk', blocked('rejected the video as a spam risk.')],
  ['spam_risk_text', blocked('rejected the text as a spam risk.')],
  ['spam_risk_too_many_posts', dailyLimitReached],
  ['spam_risk_user_banned_from_posting', banned],
  ['auth_removed', ['permission', accessRevoked[1]]],
  ['internal', unavailable],
  ['video_pull_failed', unavailable],
  ['photo_pull_failed', unavailable],
])

/** What differs for photos. */
const byPhotoFailReason = new Map<string, Classification>([
  ['file_format_check_failed', invalid('cannot read one of the photos.')],
  ['picture_size_check_failed', invalid('rejected the size of one of the photos.')],
  ['spam_risk', blocked('rejected the photos as a spam risk.')],
])

/** A publication that TikTok ended. Another try needs a new upload. */
export const classifyFailReason = (reason: string, kind: 'video' | 'photo' = 'video'): PlatformError => {
  const ofKind = kind === 'photo' ? byPhotoFailReason.get(reason) : undefined
  const known = ofKind ?? byFailReason.get(reason) ?? invalid(`did not publish the ${kind}: ${shortDetail(reason)}.`)
  return classified(name, known, { code: reason, detail: reason, preparedGone: true })
}
