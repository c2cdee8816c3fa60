import { linkedinSeed } from '../../../infra/local/platforms/linkedin.ts'
import { pdf } from '../../media/documents.ts'
import { connectOn } from '../../support/connect.ts'
import { uploadFile } from '../upload-file.ts'
import { clip, uploadVideo } from '../upload-video.ts'
import { answer, type Column, create, failed, late, lostAnswers, onTime } from './column.ts'

/** Sent again immediately: a first post that landed after all would be named by the refusal. */
const sentAgain = late(0, 10, 2)
/** Sent again immediately, refused as a repeat, and found by the name in the refusal. */
const named = { ...onTime, creates: 2 }

const refusal = (code: string, message = 'in their words') => ({ code, message, status: 400 })

/** A post with a video, or a document, in the cells with media. */
export const columnOf = (kind: 'video' | 'document'): Column => ({
  platform: 'linkedin',
  create: 'POST /rest/posts',
  // A user without pages, who may read no posts.
  connect: (kit) => connectOn(kit, 'linkedin', linkedinSeed.bob.id),
  async draft(kit, text, withMedia) {
    if (kind === 'document') {
      const mediaUrls = [await uploadFile(kit, 'application/pdf', pdf())]
      return { content: text, metadata: { linkedin: { documentTitle: 'A fault' } }, mediaUrls }
    }
    return { content: text, mediaUrls: withMedia ? [(await uploadVideo(kit, clip(80_000))).id] : [] }
  },
  cells: {
    'content rejected (400)': {
      scripts: [answer(400, refusal('INVALID_VALUE_FOR_FIELD'))],
      outcome: failed('rejected', /rejected the post: in their words/),
    },
    // Without a refresh token, which few apps are given, there is nothing to refresh with.
    'token rejected permanently (401)': {
      scripts: [{ ...create, fault: 'token_revoked' }],
      outcome: failed('account_disconnected', /Reconnect the account/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [answer(403, refusal('ACCESS_DENIED'))],
      outcome: failed('permission_missing', /lacks permissions that publishing needs/, { lost: true }),
    },
    'target not found (404)': {
      scripts: [answer(404, refusal('NOT_FOUND'))],
      outcome: failed('rejected', /rejected the post: in their words/),
    },
    'duplicate rejected (409, 422)': {
      scripts: [answer(422, refusal('DUPLICATE_POST', 'Content is a duplicate of urn:li:share:7'))],
      outcome: failed('duplicate_content', /rejected the post as a duplicate/),
    },
    // LinkedIn never says how long to wait.
    '429 with a reset': { outcome: late(60, 70, 2) },
    '429 without a reset': { scripts: [answer(429, refusal('TOO_MANY_REQUESTS'))], outcome: late(60, 70, 2) },
    ...lostAnswers(sentAgain, named),
    // The second one is live by then; the first is refused as its repeat.
    'landed a minute after the timeout': { outcome: sentAgain },
    // The body is empty, what counts is the header; an answer without it leaves the address unknown.
    'landed, with half of the JSON': { outcome: { ...onTime, withoutUrl: true } },
    '200 with an error inside': { scripts: [answer(200, refusal('INTERNAL'))], outcome: sentAgain },
    'token expires during publishing': {
      outcome: failed('account_disconnected', /Reconnect the account/, { lost: true }),
    },
    'media stuck in processing': {
      scripts: [{ operation: 'status', times: 6, fault: 'status', status: 200, body: { status: 'PROCESSING' } }],
      outcome: onTime,
    },
    'media failed in processing': {
      scripts: [
        {
          operation: 'status',
          times: 2,
          fault: 'status',
          status: 200,
          body: { status: 'PROCESSING_FAILED', processingFailureReason: 'bad codec' },
        },
      ],
      outcome: failed('rejected', /could not process the media: bad codec/, { creates: 0 }),
    },
  },
})
