import { uploadPng } from '../upload.ts'
import { answer, type Column, create, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** What was not proven to be live within two looks is sent again; the looks cost three to four minutes. */
const afterLooking = late(120, 330, 2)
/** What did land is found by the first look. */
const outcome = onTime

const forbidden = (detail: string) => answer(403, { title: 'Forbidden', detail, type: 'about:blank', status: 403 })

const column: Column = {
  platform: 'x',
  create: 'POST /2/tweets',
  async draft(kit, text, withMedia) {
    return { content: text, mediaUrls: withMedia ? [(await uploadPng(kit)).id] : [] }
  },
  cells: {
    'content rejected (400)': {
      scripts: [answer(400, { title: 'Invalid Request', detail: 'a bad word', type: 'x/problems/invalid-request' })],
      outcome: failed('rejected', /rejected the post: a bad word$/),
    },
    'token rejected permanently (401)': {
      scripts: [
        { ...create, fault: 'token_revoked' },
        { operation: 'login', times: 1, fault: 'status', status: 400, body: { error: 'invalid_request' } },
      ],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [forbidden('Your account is not permitted to access this feature.')],
      outcome: failed('blocked', /does not let this account use that feature/),
    },
    'target not found (404)': {
      scripts: [answer(404, { title: 'Not Found Error', detail: 'no such tweet', type: 'x/resource-not-found' })],
      outcome: failed('rejected', /no such tweet/),
    },
    'duplicate rejected (409, 422)': {
      scripts: [forbidden('You are not allowed to create a Tweet with duplicate content.')],
      outcome: failed('duplicate_content', /rejected the post as a duplicate/),
    },
    '429 with a reset': { outcome: late(40, 60, 2) },
    // X reports its 15-minute window in its other headers.
    '429 without a reset': {
      scripts: [answer(429, { title: 'Too Many Requests', detail: 'slow down' })],
      outcome: late(1, 960, 2),
    },
    ...lostAnswers(afterLooking, outcome),
    'landed a minute after the timeout': { outcome: late(55, 70) },
    '200 with an error inside': {
      scripts: [answer(200, { errors: [{ message: 'no', title: 'no' }] })],
      outcome: afterLooking,
    },
    'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
    'media stuck in processing': {
      scripts: [
        { operation: 'finalize', times: 1, fault: 'status', landed: true, status: 200, body: processing('pending') },
        { operation: 'status', times: 3, fault: 'status', status: 200, body: processing('in_progress') },
      ],
      outcome: onTime,
    },
    'media failed in processing': {
      scripts: [
        { operation: 'finalize', times: 1, fault: 'status', landed: true, status: 200, body: processing('pending') },
        { operation: 'status', times: 2, fault: 'status', status: 200, body: processing('failed') },
      ],
      outcome: failed('rejected', /could not process the file: unreadable/, { creates: 0 }),
    },
  },
}

function processing(state: string) {
  const error = state === 'failed' ? { error: { message: 'unreadable' } } : {}
  return { data: { id: '1', processing_info: { state, check_after_secs: 20, ...error } } }
}

runColumn(column)
