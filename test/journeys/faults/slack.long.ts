import { slackSeed } from '../../../infra/local/platforms/slack.ts'
import { connectOn } from '../../support/connect.ts'
import { uploadPng } from '../upload.ts'
import { answer, type Column, create, endless, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** Looked for in the channel after two minutes, and a minute later once more; then sent again. */
const sentAgain = late(180, 245, 2)

const [, rotating] = slackSeed.teams
const no = (error: string) => answer(200, { ok: false, error })

const column: Column = {
  platform: 'slack',
  create: 'POST /api/chat.postMessage',
  // A workspace whose tokens end: those of the others end for good.
  connect: (kit) => connectOn(kit, 'slack', rotating?.id),
  async draft(kit, text, withMedia) {
    const mediaUrls = withMedia ? [(await uploadPng(kit)).id] : []
    return { content: text, metadata: { slack: { channelId: 'C0DEMO007' } }, mediaUrls }
  },
  cells: {
    // Slack refuses with a 200.
    'content rejected (400)': {
      scripts: [no('msg_too_long')],
      outcome: failed('rejected', /takes no message as long as this one\. Shorten it\.$/),
    },
    'token rejected permanently (401)': {
      scripts: [
        { ...create, fault: 'token_revoked' },
        {
          operation: 'login',
          times: 1,
          fault: 'status',
          status: 200,
          body: { ok: false, error: 'invalid_refresh_token' },
        },
      ],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [no('restricted_action')],
      outcome: failed('blocked', /does not allow the app to post here\. Choose another channel/),
    },
    'target not found (404)': {
      scripts: [no('channel_not_found')],
      outcome: failed('rejected', /channel not found, or the app is not a member/),
    },
    // Slack refuses no repeats; an unknown name stands for what it may refuse one day.
    'duplicate rejected (409, 422)': {
      scripts: [no('duplicate_message')],
      outcome: failed('rejected', /rejected the message \(duplicate_message\)\.$/),
    },
    '429 with a reset': { outcome: late(40, 60, 2) },
    '429 without a reset': {
      scripts: [answer(429, { ok: false, error: 'ratelimited' })],
      outcome: late(60, 70, 2),
    },
    ...lostAnswers(sentAgain, onTime),
    'landed a minute after the timeout': { outcome: late(0, 60) },
    // "Some aspect may have succeeded", in Slack's own words.
    '200 with an error inside': { scripts: [no('internal_error')], outcome: sentAgain },
    'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
    // There is no processing; what can be stuck is the upload.
    'media stuck in processing': {
      scripts: [{ operation: 'upload', times: endless, fault: 'status', status: 503 }],
      outcome: failed('platform_unavailable', /did not return a clear response/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [no('file_type_not_allowed')],
      outcome: failed('rejected', /takes no files of this type\. Attach another one\.$/),
    },
  },
}

runColumn(column)
