import { metaError } from '../../platforms/meta-error.ts'
import { uploadPng } from '../upload.ts'
import { type Column, create, endless, failed, late, lostAnswers, onTime } from './column.ts'
import { runColumn } from './run.ts'

/** The feed does not have it, two minutes later and once more: it is sent then. */
const settled = late(180, 200, 2)
/** The feed has it. */
const found = { ...onTime, creates: 1 }

const refused = (...error: Parameters<typeof metaError>) => ({ ...create, ...metaError(...error) })
const column: Column = {
  platform: 'facebook',
  create: 'POST /{page}/feed',
  async draft(kit, text, withMedia) {
    return { content: text, mediaUrls: withMedia ? [(await uploadPng(kit)).id] : [] }
  },
  cells: {
    'content refused (400)': {
      scripts: [refused(100, undefined, 'a bad word')],
      outcome: failed('rejected', /Facebook refused the post: a bad word$/),
    },
    // The token of a page has no successor.
    'token refused for good (401)': {
      scripts: [{ ...create, fault: 'token_revoked' }],
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
    'token expired at the moment': {
      outcome: failed('account_disconnected', /does not accept the connection any more/, { lost: true }),
    },
    // Photos are taken at once or not at all.
    'media stuck in processing': {
      scripts: [{ operation: 'upload', times: endless, fault: 'status', status: 503 }],
      outcome: failed('platform_unavailable', /gave no clear answer/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [{ ...refused(1, 1366046, 'saved as JPG or PNG'), operation: 'upload', times: 2 }],
      outcome: failed('rejected', /refused the post: saved as JPG or PNG/, { creates: 0 }),
    },
  },
}

runColumn(column)
