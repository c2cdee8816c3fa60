import { uploadPng } from '../upload.ts'
import { type Column, create, endless, failed } from './column.ts'
import { metaCells, refused } from './meta.ts'
import { runColumn } from './run.ts'

/** The token of a page has no successor. */
const lost = failed('account_disconnected', /access was revoked or expired/, { lost: true })

const column: Column = {
  platform: 'facebook',
  create: 'POST /{page}/feed',
  async draft(kit, text, withMedia) {
    return { content: text, mediaUrls: withMedia ? [(await uploadPng(kit)).id] : [] }
  },
  cells: {
    ...metaCells('Facebook'),
    'token rejected permanently (401)': { scripts: [{ ...create, fault: 'token_revoked' }], outcome: lost },
    'token expires during publishing': { outcome: lost },
    // Photos are taken immediately or not at all.
    'media stuck in processing': {
      scripts: [{ operation: 'upload', times: endless, fault: 'status', status: 503 }],
      outcome: failed('platform_unavailable', /did not return a clear response/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [{ ...refused(1, 1366046, 'saved as JPG or PNG'), operation: 'upload', times: 2 }],
      outcome: failed('rejected', /rejected the post: saved as JPG or PNG/, { creates: 0 }),
    },
  },
}

runColumn(column)
