import { uploadJpeg } from '../upload-file.ts'
import { answer, type Column, create, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

const refusal = (code: string) => ({ data: {}, error: { code, message: 'in their words', log_id: '1' } })

/** The first call publishes, and TikTok lists no photos: nothing is sent again, and the outcome is unknown. */
const unknown = (live: 0 | 1) => failed('outcome_unknown', /^Outcome unknown/, { live, retrySafe: false })

const marks: Readonly<Record<string, string>> = {
  'media stuck in processing': ' #processing_slow',
  'media failed in processing': ' #processing_fails_picture_size_check_failed',
}

const column: Column = {
  platform: 'tiktok',
  create: 'POST /v2/post/publish/content/init/',
  async draft(kit, text) {
    return {
      content: `${text}${marks[text] ?? ''}`,
      metadata: { tiktok: { format: 'photo', privacyLevel: 'PUBLIC_TO_EVERYONE' } },
      mediaUrls: [await uploadJpeg(kit), await uploadJpeg(kit)],
    }
  },
  cells: {
    'content rejected (400)': {
      scripts: [answer(400, refusal('invalid_params'))],
      outcome: failed('rejected', /rejected the post: in their words/),
    },
    'token rejected permanently (401)': {
      scripts: [
        { ...create, fault: 'token_revoked' },
        { operation: 'login', times: 1, fault: 'status', status: 200, body: { error: 'invalid_grant' } },
      ],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [answer(403, refusal('spam_risk_user_banned_from_posting'))],
      outcome: failed('blocked', /banned this account/),
    },
    // The media domain of the service is not verified in its app, until its operator fixes that.
    'target not found (404)': {
      scripts: [answer(403, refusal('url_ownership_unverified'))],
      outcome: { ...late(2, 6, 2), operator: true },
    },
    // TikTok knows no duplicates.
    'duplicate rejected (409, 422)': {
      scripts: [answer(422, refusal('invalid_params'))],
      outcome: failed('rejected', /rejected the post/),
    },
    // TikTok never says how long to wait: its windows are a minute.
    '429 with a reset': { outcome: late(60, 70, 2) },
    '429 without a reset': { scripts: [answer(429, refusal('rate_limit_exceeded'))], outcome: late(60, 70, 2) },
    ...lostAnswers(unknown(0), unknown(1)),
    // The post has ended before it lands.
    'landed a minute after the timeout': { outcome: unknown(0) },
    '200 with an error inside': {
      scripts: [answer(200, refusal('spam_risk_too_many_posts'))],
      outcome: late(3500, 4000, 2),
    },
    'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
    // It takes ten minutes: polled each minute by the publish id, never sent again.
    'media stuck in processing': { outcome: onTime },
    'media failed in processing': { outcome: failed('rejected', /rejected the size of one of the photos/) },
  },
}

runColumn(column)
