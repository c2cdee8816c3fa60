import * as z from 'zod/mini'
import { type ErrorResponse, shorten } from '../http.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from '../platform-error.ts'

interface Verdict {
  errorClass: ErrorClass
  text: string
  facts?: ErrorFacts
}

const lost: Verdict = {
  errorClass: 'auth',
  text: 'TikTok does not accept the connection any more: connect the account again.',
}
const unticked: Verdict = {
  errorClass: 'permission',
  text: 'TikTok was not allowed to publish for this account: connect it again and allow everything.',
}
const daySeconds = 86_400
/** The limits are sliding windows of a minute; no Retry-After is promised. */
const limited: Verdict = {
  errorClass: 'rate',
  text: 'TikTok takes no more calls for this account for a while.',
  facts: { retryAfterSeconds: 60 },
}
const invalid = (text: string): Verdict => ({ errorClass: 'invalid', text })
const refused = invalid('TikTok refused the post')
const blocked = (text: string): Verdict => ({ errorClass: 'blocked', text })
/** Posting alone; the connection works, and a ban may end. */
const banned = blocked('TikTok has banned this account from posting.')
const busy: Verdict = { errorClass: 'transient', text: 'TikTok is busy.' }

/** TikTok's error codes (platforms-b, 3.7); a text without a full stop is followed by TikTok's own. */
const verdicts = new Map<string, Verdict>([
  ['access_token_invalid', lost],
  ['scope_not_authorized', unticked],
  ['scope_permission_missed', unticked],
  ['rate_limit_exceeded', limited],
  [
    'spam_risk_too_many_posts',
    {
      errorClass: 'rate',
      text: 'TikTok takes no more posts of this account today: post again tomorrow.',
      facts: { retryAfterSeconds: daySeconds },
    },
  ],
  [
    'unaudited_client_can_only_post_to_private_accounts',
    {
      errorClass: 'permission',
      text: 'TikTok has not audited the app of this service: it may post to private accounts only, as SELF_ONLY.',
      facts: { operator: true },
    },
  ],
  ['spam_risk_user_banned_from_posting', banned],
  [
    'privacy_level_option_mismatch',
    invalid('TikTok does not offer this privacy level to the account: choose another one.'),
  ],
  ['internal_error', busy],
])

/** The cap of posting people for the whole app ends with the day (UTC). */
const capReached = (nowMs: number): Verdict => ({
  errorClass: 'quota',
  text: 'TikTok lets no more people post through this service today.',
  facts: { retryAfterSeconds: daySeconds - (Math.floor(nowMs / 1000) % daySeconds), operator: true },
})

const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.optional(z.string()) }) })

const verdictOf = (code: string, { status, nowMs }: ErrorResponse): Verdict => {
  if (code === 'reached_active_user_cap') return capReached(nowMs)
  if (status === 401) return verdicts.get(code) ?? lost
  if (status === 429) return limited
  return verdicts.get(code) ?? refused
}

/** Sorts a refusal by its code, also one that came with HTTP 200. */
export const sortTikTok = (answer: ErrorResponse): PlatformError => {
  const { code = '', message = '' } = z.safeParse(ErrorBody, answer.body).data?.error ?? {}
  const { errorClass, text, facts } = verdictOf(code, answer)
  const words = shorten(message || code || `HTTP ${answer.status}`)
  return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${words}`, {
    httpStatus: answer.status,
    code,
    detail: words,
    ...facts,
  })
}

/** Why a video was not published after it had arrived (platforms-b, 3.7, fail_reason). */
const failures = new Map<string, Verdict>([
  ['file_format_check_failed', invalid('TikTok cannot read the video: send H.264 or H.265 in MP4 or MOV.')],
  ['duration_check_failed', invalid('The video is too short or too long for this TikTok account.')],
  ['frame_rate_check_failed', invalid('TikTok takes videos of 23 to 60 frames per second.')],
  ['picture_size_check_failed', invalid('TikTok takes videos of 360 to 4096 pixels on each side.')],
  ['publish_cancelled', invalid('The post was cancelled at TikTok.')],
  ['spam_risk', blocked('TikTok refused the video as a risk of spam.')],
  ['spam_risk_text', blocked('TikTok refused the text as a risk of spam.')],
  ['spam_risk_too_many_posts', blocked('TikTok takes no more posts of this account today: post again tomorrow.')],
  ['spam_risk_user_banned_from_posting', banned],
  ['auth_removed', { errorClass: 'permission', text: lost.text }],
  ['internal', busy],
  ['video_pull_failed', busy],
  ['photo_pull_failed', busy],
])

/** A publication that TikTok has ended; where it may work the second time, the video must be sent anew. */
export const sortFailure = (reason: string): PlatformError => {
  const { errorClass, text } = failures.get(reason) ?? invalid(`TikTok did not publish the video: ${shorten(reason)}.`)
  return new PlatformError(errorClass, text, { code: reason, detail: reason, preparedGone: true })
}
