import { uploadVideo } from '../upload-video.ts'
import { answer, type Column, create, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** TikTok says twice that it has not got the video, a minute apart; then the last chunk is sent again. */
const sentAgain = late(70, 90, 2)

const refusal = (code: string) => ({ data: {}, error: { code, message: 'in their words', log_id: '1' } })

const marks: Readonly<Record<string, string>> = {
  'media stuck in processing': ' #processing_slow',
  'media failed in processing': ' #processing_fails_frame_rate_check_failed',
}

const column: Column = {
  platform: 'tiktok',
  create: 'PUT /video/',
  async draft(kit, text) {
    return {
      content: `${text}${marks[text] ?? ''}`,
      metadata: { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' } },
      mediaUrls: [(await uploadVideo(kit)).id],
    }
  },
  cells: {
    'content rejected (400)': {
      scripts: [answer(400, '')],
      outcome: failed('rejected', /rejected the upload \(HTTP 400\)/),
    },
    'token rejected permanently (401)': {
      scripts: [
        { ...create, fault: 'token_revoked' },
        { operation: 'login', times: 1, fault: 'status', status: 200, body: { error: 'invalid_grant' } },
      ],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    // Refused when the upload is opened: by prepare-post, and by the publisher once more.
    'not allowed (403)': {
      scripts: [
        {
          operation: 'init',
          times: 2,
          fault: 'status',
          status: 403,
          body: refusal('spam_risk_user_banned_from_posting'),
        },
      ],
      outcome: failed('blocked', /banned this account/, { creates: 0 }),
    },
    // The upload URL has expired: a new one is requested.
    'target not found (404)': { scripts: [answer(404, '')], outcome: late(2, 10, 2) },
    // TikTok knows no duplicates; what it can say of a chunk is that it does not follow the one before.
    'duplicate rejected (409, 422)': { scripts: [answer(416, '')], outcome: sentAgain },
    // TikTok never says how long to wait: its windows are a minute.
    '429 with a reset': { outcome: late(60, 70, 2) },
    '429 without a reset': { scripts: [answer(429, refusal('rate_limit_exceeded'))], outcome: late(60, 70, 2) },
    ...lostAnswers(sentAgain, onTime),
    'landed a minute after the timeout': { outcome: late(59, 70) },
    '200 with an error inside': {
      scripts: [
        { operation: 'creator', times: 2, fault: 'status', status: 200, body: refusal('spam_risk_too_many_posts') },
      ],
      outcome: late(3500, 4000),
    },
    'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
    // It takes ten minutes: polled each minute, never sent again.
    'media stuck in processing': { outcome: onTime },
    'media failed in processing': { outcome: failed('rejected', /23 to 60 frames/) },
  },
}

runColumn(column)
