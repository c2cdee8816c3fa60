import { channelId } from '../author.ts'
import { uploadPng } from '../upload.ts'
import { answer, type Column, create, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** A nonce makes the repeat harmless: what is unclear is sent again immediately, by the same key. */
const repeated = late(0, 10, 2)
/** The operator fixes what the platform refuses. */
const fixedByOperator = { ...late(2, 6, 2), operator: true } as const

const column: Column = {
  platform: 'discord',
  create: 'POST /channels/{channel}/messages',
  async draft(kit, text, withMedia) {
    const mediaUrls = withMedia ? [(await uploadPng(kit)).id] : []
    return { content: text, metadata: { discord: { channelId } }, mediaUrls }
  },
  cells: {
    'content rejected (400)': {
      scripts: [answer(400, { code: 50035, message: 'a bad word' })],
      outcome: failed('rejected', /rejected the message: a bad word$/),
    },
    // The token is the operator's own: nothing can refresh it, no account is at fault, and the post waits until it is fixed.
    'token rejected permanently (401)': { scripts: [{ ...create, fault: 'token_revoked' }], outcome: fixedByOperator },
    'not allowed (403)': {
      scripts: [answer(403, { code: 50013, message: 'Missing Permissions' })],
      outcome: failed('rejected', /cannot write in this channel/),
    },
    'target not found (404)': {
      scripts: [answer(404, { code: 10003, message: 'Unknown Channel' })],
      outcome: failed('rejected', /channel no longer exists/),
    },
    // Discord refuses no repeats; it reports what it cannot do now with its own 409.
    'duplicate rejected (409, 422)': {
      scripts: [answer(409, { code: 0, message: 'Conflict' })],
      outcome: failed('rejected', /rejected the message: Conflict/),
    },
    '429 with a reset': { outcome: late(40, 60, 2) },
    '429 without a reset': {
      scripts: [answer(429, { message: 'You are being rate limited.' })],
      outcome: late(60, 70, 2),
    },
    ...lostAnswers(repeated, { ...onTime, creates: 2 }),
    'landed a minute after the timeout': { outcome: repeated },
    '200 with an error inside': {
      scripts: [answer(200, { message: 'no', code: 1 })],
      outcome: repeated,
    },
    'token expires during publishing': { outcome: fixedByOperator },
    // Files go with the message itself; only the list of channels is read before.
    'media stuck in processing': {
      scripts: [{ operation: 'channels', times: 1, fault: 'status', status: 503 }],
      outcome: onTime,
    },
    'media failed in processing': {
      scripts: [answer(413, { code: 40005, message: 'Request entity too large' })],
      outcome: failed('rejected', /too large/),
    },
  },
}

runColumn(column)
