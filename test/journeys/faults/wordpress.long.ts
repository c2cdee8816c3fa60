import { connectOn } from '../../support/connect.ts'
import { uploadPng } from '../upload.ts'
import { answer, type Column, create, endless, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** The post says after half a minute that it is still a draft, and is published then. */
const publishedAnew = late(30, 125, 2)
const respondWith = (status: number, code: string, message: string) =>
  answer(status, { code, message, data: { status } })

const column: Column = {
  platform: 'wordpress',
  create: 'POST /wp-json/wp/v2/posts/{post}',
  connect: (kit) => connectOn(kit, 'wordpress'),
  async draft(kit, text, withMedia) {
    const mediaUrls = withMedia ? [(await uploadPng(kit)).id] : []
    return { content: text, mediaUrls }
  },
  cells: {
    'content rejected (400)': {
      scripts: [respondWith(400, 'rest_invalid_param', 'Invalid parameter(s): content')],
      outcome: failed('rejected', /rejected the post: Invalid parameter\(s\): content$/),
    },
    'token rejected permanently (401)': {
      scripts: [{ ...create, times: endless, fault: 'token_revoked' }],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [respondWith(403, 'rest_forbidden', 'Sorry, you are not allowed to do that.')],
      outcome: failed('blocked', /site does not allow this user to do that: Sorry/),
    },
    'target not found (404)': {
      scripts: [respondWith(404, 'rest_no_route', 'No route was found matching the URL and request method.')],
      outcome: failed('blocked', /has this part of its API switched off\.$/),
    },
    // WordPress refuses no repeats of posts.
    'duplicate rejected (409, 422)': {
      scripts: [respondWith(409, 'standin_duplicate', 'A repeat')],
      outcome: failed('rejected', /rejected the post: A repeat$/),
    },
    '429 with a reset': { outcome: late(40, 60, 2) },
    '429 without a reset': {
      scripts: [respondWith(429, 'too_many_requests', 'Too many requests.')],
      outcome: late(60, 120, 2),
    },
    ...lostAnswers(publishedAnew, onTime),
    'landed a minute after the timeout': { outcome: late(0, 60) },
    '200 with an error inside': {
      scripts: [answer(200, { code: 'error', message: 'no' })],
      outcome: publishedAnew,
    },
    // A password does not expire: one that is refused was deleted.
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
          status: 500,
          body: {
            code: 'rest_upload_unknown_error',
            message: 'Sorry, you are not allowed to upload this file type.',
            data: { status: 500 },
          },
        },
      ],
      outcome: failed('rejected', /rejected the file: Sorry/, { creates: 0 }),
    },
  },
}

runColumn(column)
