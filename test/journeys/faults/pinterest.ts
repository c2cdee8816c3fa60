import { pinterestSeed } from '../../../infra/local/platforms/pinterest.ts'
import { uploadPng } from '../upload.ts'
import { uploadFilm } from '../upload-file.ts'
import { answer, type Column, create, endless, failed, late, lostAnswers, onTime } from './column.ts'

const respondWith = (times: number, status: string) =>
  ({ operation: 'status', times, fault: 'status', status: 200, body: { media_id: '1', status } }) as const

/** Looked for on the board after two minutes, and a minute later once more; then sent anew. */
const sentAnew = late(180, 245, 2)

const mediaCells = {
  image: {
    // There is no processing; what can be stuck is the image that Pinterest loads.
    'media stuck in processing': {
      scripts: [{ ...answer(400, { code: 235, message: 'Unable to reach the URL.' }), times: endless }],
      outcome: failed('platform_unavailable', /could not download the media/, { creates: 6 }),
    },
    'media failed in processing': {
      scripts: [answer(400, { code: 235, message: 'Sorry we could not recognize the image.' })],
      outcome: failed('rejected', /could not recognize the image/),
    },
  },
  video: {
    'media stuck in processing': {
      scripts: [respondWith(endless, 'processing')],
      outcome: failed('platform_unavailable', /took too long to process the video/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [respondWith(2, 'failed')],
      outcome: failed('rejected', /could not process the video/, { creates: 0 }),
    },
  },
} satisfies Record<string, Partial<Column['cells']>>

/** A Pin of one image or several, or of a video, which is uploaded before. */
export const columnOf = (kind: 'image' | 'carousel' | 'video'): Column => ({
  platform: 'pinterest',
  create: 'POST /v5/pins',
  async draft(kit, text) {
    const boardId = pinterestSeed.boards[0].id
    const pin = { boardId, title: 'A fault', description: text }
    const metadata = { pinterest: kind === 'image' ? pin : { ...pin, format: kind } }
    const image = async () => (await uploadPng(kit)).id
    if (kind === 'image') return { content: '', metadata, mediaUrls: [await image()] }
    const mediaUrls = kind === 'video' ? [await uploadFilm(kit)] : [await image(), await image()]
    return { content: '', metadata, mediaUrls }
  },
  cells: {
    'content rejected (400)': {
      scripts: [answer(400, { code: 1, message: 'Invalid request parameter.' })],
      outcome: failed('rejected', /rejected the request: Invalid request parameter\.$/),
    },
    'token rejected permanently (401)': {
      scripts: [
        { ...create, fault: 'token_revoked' },
        { operation: 'login', times: 1, fault: 'status', status: 400, body: { error: 'invalid_grant' } },
      ],
      outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [answer(403, { code: 29, message: 'You are not permitted to access that resource.' })],
      outcome: failed('rejected', /does not let this account pin to this board/),
    },
    'target not found (404)': {
      scripts: [answer(404, { code: 40, message: 'Board not found.' })],
      outcome: failed('rejected', /board no longer exists/),
    },
    // Pinterest refuses no repeats; a conflict is the nearest it has.
    'duplicate rejected (409, 422)': {
      scripts: [answer(409, { code: 0, message: 'Conflict' })],
      outcome: failed('rejected', /rejected the request: Conflict/),
    },
    '429 with a reset': { outcome: late(40, 60, 2) },
    '429 without a reset': {
      scripts: [{ ...answer(429, { code: 8, message: 'Slow down.' }) }],
      // Every answer of Pinterest has the end of its one-minute window.
      outcome: late(1, 70, 2),
    },
    ...lostAnswers(sentAnew, onTime),
    'landed a minute after the timeout': { outcome: late(0, 60) },
    '200 with an error inside': { scripts: [answer(200, { code: 7, message: 'no' })], outcome: sentAnew },
    'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
    ...mediaCells[kind === 'video' ? kind : 'image'],
  },
})
