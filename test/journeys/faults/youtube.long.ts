import { uploadPng } from '../upload.ts'
import { uploadVideo } from '../upload-video.ts'
import { answer, type Column, create, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** The session says twice that it has not got the last bytes, a minute apart; then they are sent again. */
const sentAgain = late(70, 90, 2)

const refusal = (reason: string) => ({ error: { code: 403, message: 'in their words', errors: [{ reason }] } })

const column: Column = {
  platform: 'youtube',
  create: 'PUT /upload/youtube/v3/videos',
  async draft(kit, text) {
    const youtube = { thumbnailMediaAssetId: (await uploadPng(kit)).id }
    return { content: text, metadata: { youtube }, mediaUrls: [(await uploadVideo(kit)).id] }
  },
  cells: {
    'content rejected (400)': {
      scripts: [answer(400, refusal('invalidVideoMetadata'))],
      outcome: failed('rejected', /rejected the video: in their words/),
    },
    'token rejected permanently (401)': {
      scripts: [
        { ...create, fault: 'token_revoked' },
        { operation: 'login', times: 1, fault: 'status', status: 400, body: { error: 'invalid_grant' } },
      ],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [answer(403, refusal('insufficientPermissions'))],
      outcome: failed('permission_missing', /lacks permissions that publishing needs/, { lost: true }),
    },
    // The session is gone: another one is opened.
    'target not found (404)': { scripts: [answer(404, refusal('notFound'))], outcome: late(2, 10, 2) },
    // YouTube finds repeats only afterwards; what it can say at the moment is that bytes are missing.
    'duplicate rejected (409, 422)': { scripts: [answer(308, '')], outcome: late(2, 10, 2) },
    // YouTube never says how long to wait.
    '429 with a reset': { outcome: late(30, 40, 2) },
    '429 without a reset': { scripts: [answer(429, refusal('userRateLimitExceeded'))], outcome: late(30, 40, 2) },
    ...lostAnswers(sentAgain, onTime),
    'landed a minute after the timeout': { outcome: late(59, 70) },
    '200 with an error inside': { scripts: [answer(200, refusal('backendError'))], outcome: sentAgain },
    'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
    // Nothing is waited for after the last byte; what can be stuck is the opening of the session.
    'media stuck in processing': {
      scripts: [{ operation: 'open', times: 3, fault: 'status', status: 503 }],
      // Waits of 5 and 30 s, of which each is at least the half.
      outcome: late(17, 60),
    },
    // The channel may open no more sessions today.
    'media failed in processing': {
      scripts: [{ operation: 'open', times: 2, fault: 'status', status: 400, body: refusal('uploadLimitExceeded') }],
      outcome: late(3500, 4000),
    },
  },
}

runColumn(column)
