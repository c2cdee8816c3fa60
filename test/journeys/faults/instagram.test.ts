import { metaError } from '../../platforms/meta-error.ts'
import { uploadJpeg } from '../upload-file.ts'
import { type Column, create, endless, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** The container tells that it was not published, two minutes later and once more: it is published then. */
const settled = late(180, 200, 2)
/** The container tells that it was published. */
const found = { ...onTime, creates: 1 }

const refused = (...error: Parameters<typeof metaError>) => ({ ...create, ...metaError(...error) })
const status = (times: number, body: object) =>
  ({ operation: 'status', times, fault: 'status', status: 200, body }) as const

const column: Column = {
  platform: 'instagram',
  create: 'POST /{user}/media_publish',
  async draft(kit, text) {
    return { content: text, metadata: { instagram: { format: 'feed_image' } }, mediaUrls: [await uploadJpeg(kit)] }
  },
  cells: {
    'content refused (400)': {
      scripts: [refused(100, undefined, 'a bad word')],
      outcome: failed('rejected', /Instagram refused the post: a bad word$/),
    },
    // A token of today cannot be extended: it is asked whether it lives.
    'token refused for good (401)': {
      scripts: [
        { ...create, fault: 'token_revoked' },
        { operation: 'profile', times: 1, fault: 'token_revoked' },
      ],
      outcome: failed('account_disconnected', /does not accept the connection any more/, { lost: true }),
    },
    'not allowed (403)': {
      scripts: [{ ...refused(10, undefined, 'not you'), status: 403 }],
      outcome: failed('permission_missing', /does not allow this account or app to do that: not you/, { lost: true }),
    },
    'place gone (404)': {
      scripts: [refused(100, 33, 'no such place')],
      outcome: failed('rejected', /no such place/),
    },
    'duplicate refused (409, 422)': {
      scripts: [refused(506)],
      outcome: failed('duplicate_content', /repeats an earlier one/),
    },
    // Meta counts in minutes.
    '429 with a reset': { outcome: late(60, 70, 2) },
    // A quarter of an hour, and the sweeper's minute after it.
    '429 without a reset': { scripts: [refused(4)], outcome: late(900, 1080, 2) },
    ...lostAnswers(settled, found),
    'landed a minute after we gave up': { outcome: { ...found, late: [50, 70] } },
    '200 with an error inside': {
      scripts: [{ ...refused(1), status: 200 }],
      outcome: settled,
    },
    'token expired at the moment': { outcome: { ...onTime, creates: 2 } },
    'media stuck in processing': {
      scripts: [status(endless, { id: '1', status_code: 'IN_PROGRESS' })],
      outcome: failed('platform_unavailable', /takes too long to process the media/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [status(2, { id: '1', status_code: 'ERROR', status: 'Error: the format, 2207026' })],
      outcome: failed('rejected', /could not process the media: Error: the format, 2207026/, { creates: 0 }),
    },
  },
}

runColumn(column)
