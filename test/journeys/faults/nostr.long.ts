import { uploadPng } from '../upload.ts'
import { answer, type Column, create, endless, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** The same event makes no second post: what is unclear is sent again immediately. */
const repeated = late(0, 10, 2)
const respondWith = (refusal: string) => answer(200, { refusal })

const column: Column = {
  platform: 'nostr',
  create: 'EVENT 1',
  async draft(kit, text, withMedia) {
    const mediaUrls = withMedia ? [(await uploadPng(kit)).id] : []
    return { content: text, mediaUrls }
  },
  cells: {
    'content rejected (400)': {
      scripts: [respondWith('invalid: a bad word')],
      outcome: failed('rejected', /rejected the post: a bad word$/),
    },
    // A key is never revoked: relays let an author in no longer.
    'token rejected permanently (401)': {
      scripts: [{ ...create, times: endless, fault: 'token_revoked' }],
      outcome: failed('blocked', /accept posts of their members only/),
    },
    'not allowed (403)': {
      scripts: [respondWith('blocked: not you')],
      outcome: failed('blocked', /do not accept posts of this account: not you$/),
    },
    'target not found (404)': {
      scripts: [respondWith('unsupported: no such thing')],
      outcome: failed('rejected', /rejected the post: no such thing$/),
    },
    // It is the post.
    'duplicate rejected (409, 422)': {
      scripts: [{ ...respondWith('duplicate: have this event'), landed: true }],
      outcome: onTime,
    },
    '429 with a reset': { outcome: late(60, 130, 2) },
    '429 without a reset': { scripts: [respondWith('rate-limited: slow down')], outcome: late(60, 130, 2) },
    ...lostAnswers(repeated, { ...onTime, creates: 2 }),
    'landed a minute after the timeout': { outcome: repeated },
    '200 with an error inside': { scripts: [answer(200, { error: 'no' })], outcome: repeated },
    'token expires during publishing': {
      outcome: failed('blocked', /accept posts of their members only/),
    },
    'media stuck in processing': {
      scripts: [{ operation: 'upload', times: endless, fault: 'status', status: 503 }],
      outcome: failed('platform_unavailable', /did not return a clear response/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [{ operation: 'upload', times: endless, fault: 'status', status: 415 }],
      outcome: failed('rejected', /media server does not accept files of this type/, { creates: 0 }),
    },
  },
}

runColumn(column)
