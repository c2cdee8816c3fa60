import { uploadPng } from '../upload.ts'
import { answer, type Column, create, endless, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** Looked for among the account's own posts after two minutes, and a minute later once more; then sent anew. */
const sentAnew = late(180, 245, 2)
const respondWith = (status: number, error: string) => answer(status, { error })

const column: Column = {
  platform: 'mastodon',
  create: 'POST /api/v1/statuses',
  async draft(kit, text, withMedia) {
    const mediaUrls = withMedia ? [(await uploadPng(kit)).id] : []
    return { content: text, mediaUrls }
  },
  cells: {
    'content rejected (400)': {
      scripts: [respondWith(400, 'a bad word')],
      outcome: failed('rejected', /rejected the post: a bad word$/),
    },
    'token rejected permanently (401)': {
      scripts: [{ ...create, times: endless, fault: 'token_revoked' }],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [respondWith(403, 'This action is not allowed')],
      outcome: failed('blocked', /does not allow this account to do that: This action is not allowed$/),
    },
    'target not found (404)': {
      scripts: [respondWith(404, 'Record not found')],
      outcome: failed('rejected', /does not have what the post refers to/),
    },
    // Mastodon refuses no repeats; a 422 says what is wrong with the post.
    'duplicate rejected (409, 422)': {
      scripts: [respondWith(422, 'Validation failed: Text is a repeat')],
      outcome: failed('rejected', /rejected the post: Validation failed: Text is a repeat$/),
    },
    '429 with a reset': { outcome: late(40, 60, 2) },
    '429 without a reset': {
      scripts: [respondWith(429, 'Too many requests')],
      // Every answer names the end of its five minutes.
      outcome: late(60, 300, 2),
    },
    ...lostAnswers(sentAnew, onTime),
    'landed a minute after the timeout': { outcome: late(0, 60) },
    '200 with an error inside': {
      scripts: [respondWith(200, 'no')],
      outcome: sentAnew,
    },
    // A token does not expire: one that is refused is revoked.
    'token expires during publishing': {
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'media stuck in processing': {
      scripts: [{ operation: 'upload', times: endless, fault: 'status', status: 503 }],
      outcome: failed('platform_unavailable', /did not return a clear response/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [
        {
          operation: 'upload',
          times: endless,
          fault: 'status',
          status: 422,
          body: { error: 'Validation failed: File content type is invalid' },
        },
      ],
      outcome: failed('rejected', /rejected the post: Validation failed: File content type/, { creates: 0 }),
    },
  },
}

runColumn(column)
