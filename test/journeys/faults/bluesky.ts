import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import { uploadPng } from '../upload.ts'
import { uploadVideo } from '../upload-video.ts'
import { answer, type Column, endless, failed, late, lostAnswers, onTime, type Script } from './column.ts'

/** Our own key makes the repeat harmless for ever: what is unclear is put again immediately. */
const repeated = late(0, 10, 2)

/** What the video service says of a job. */
const job = (times: number, more: object): Script => {
  const jobStatus = { jobId: 'job', did: blueskySeed.account.did, ...more }
  return { operation: 'job', times, fault: 'status', status: 200, body: { jobStatus } }
}

/** A post on Bluesky. */
export const column: Column = {
  platform: 'bluesky',
  create: 'POST /xrpc/com.atproto.repo.putRecord',
  async connect(kit) {
    const { handle: identifier, appPassword } = blueskySeed.account
    return (await kit.sessionApi.socialAccounts.connectBluesky({ body: { identifier, appPassword } })).id
  },
  async draft(kit, text, withMedia) {
    if (text.includes('processing')) return { content: text, mediaUrls: [(await uploadVideo(kit)).id] }
    return { content: text, mediaUrls: withMedia ? [(await uploadPng(kit)).id] : [] }
  },
  cells: {
    'content rejected (400)': {
      scripts: [answer(400, { error: 'InvalidRequest', message: 'a bad word' })],
      outcome: failed('rejected', /rejected the post: a bad word$/),
    },
    'token rejected permanently (401)': {
      scripts: [
        { operation: 'create', times: 1, fault: 'token_revoked' },
        { operation: 'refresh', times: 1, fault: 'status', status: 400, body: { error: 'ExpiredToken', message: 'x' } },
      ],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [answer(403, { error: 'Forbidden', message: 'not you' })],
      outcome: failed('blocked', /does not allow this account to do that: not you/),
    },
    'target not found (404)': {
      scripts: [answer(404, { error: 'NotFound', message: 'no such place' })],
      outcome: failed('rejected', /no such place/),
    },
    // Another record has our key: the next attempt uses another key.
    'duplicate rejected (409, 422)': {
      scripts: [answer(400, { error: 'InvalidSwap', message: 'Record was at another CID' })],
      outcome: late(2, 10, 2),
    },
    '429 with a reset': { outcome: late(40, 60, 2) },
    '429 without a reset': {
      scripts: [answer(429, { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' })],
      outcome: late(60, 130, 2),
    },
    ...lostAnswers(repeated, { ...onTime, creates: 2 }),
    'landed a minute after the timeout': { outcome: repeated },
    '200 with an error inside': { scripts: [answer(200, { error: 'no' })], outcome: repeated },
    'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
    // A job that never ends is begun again each half hour, a few times.
    'media stuck in processing': {
      scripts: [job(endless, { state: 'JOB_STATE_ENCODING' })],
      outcome: failed('platform_unavailable', /could not process the video: it took too long/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [job(2, { state: 'JOB_STATE_FAILED', failureCode: 'validation_failure', error: 'too long' })],
      outcome: failed('rejected', /rejected the video: too long/, { creates: 0 }),
    },
  },
}
