import { uploadPng } from '../upload.ts'
import { answer, type Column, create, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** Looked for among the own posts after two minutes, and a minute later once more; then submitted anew. */
const submittedAnew = late(180, 245, 2)

const no = (code: string, message: string) => answer(200, { json: { errors: [[code, message, 'field']] } })

const column: Column = {
  platform: 'reddit',
  create: 'POST /api/submit',
  async draft(kit, text, withMedia) {
    const kind = withMedia ? 'image' : 'self'
    const mediaUrls = withMedia ? [(await uploadPng(kit)).id] : []
    return { content: 'The text', metadata: { reddit: { subreddit: 'test', title: text, kind } }, mediaUrls }
  },
  cells: {
    'content rejected (400)': {
      scripts: [
        answer(400, {
          fields: ['title'],
          explanation: 'No such words.',
          message: 'Bad Request',
          reason: 'SUBMIT_VALIDATION_TITLE_BLACKLISTED_STRING',
        }),
      ],
      outcome: failed('rejected', /rejected the post: No such words\.$/),
    },
    'token rejected permanently (401)': {
      scripts: [
        { ...create, fault: 'token_revoked' },
        { operation: 'login', times: 1, fault: 'status', status: 400, body: { error: 'invalid_grant' } },
      ],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [answer(403, { message: 'Forbidden', error: 403, reason: 'private' })],
      outcome: failed('rejected', /does not let this account post in the subreddit/),
    },
    'target not found (404)': {
      scripts: [no('SUBREDDIT_NOEXIST', "that subreddit doesn't exist")],
      outcome: failed('rejected', /subreddit not found/),
    },
    'duplicate rejected (409, 422)': {
      scripts: [no('ALREADY_SUB', 'that link has already been submitted')],
      outcome: failed('duplicate_content', /Send `resubmit: true`/),
    },
    '429 with a reset': { outcome: late(40, 60, 2) },
    // The limit of an account comes with a 200, and sometimes only as text.
    '429 without a reset': {
      scripts: [no('RATELIMIT', "Looks like you've been doing that a lot.")],
      outcome: late(600, 620, 2),
    },
    ...lostAnswers(submittedAnew, onTime),
    'landed a minute after the timeout': { outcome: late(0, 60) },
    '200 with an error inside': {
      scripts: [no('SOMETHING_NEW', 'Not this one.')],
      outcome: failed('rejected', /rejected the post: Not this one\.$/),
    },
    'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
    // It is taken, and shows among the own posts only minutes later.
    'media stuck in processing': {
      scripts: [{ operation: 'read', times: 6, fault: 'status', status: 200, body: { data: { children: [] } } }],
      outcome: onTime,
    },
    'media failed in processing': {
      scripts: [no('BAD_IMAGE', 'that image is broken')],
      outcome: failed('rejected', /rejected the post: that image is broken$/),
    },
  },
}

runColumn(column)
