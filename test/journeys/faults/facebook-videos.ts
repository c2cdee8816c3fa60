import { uploadFilm } from '../upload-file.ts'
import { type Column, create, endless, failed } from './column.ts'
import { metaCells } from './meta.ts'

/** The token of a page has no successor. */
const lost = failed('account_disconnected', /access was revoked or expired/, { lost: true })
const respondWith = (times: number, status: object) =>
  ({ operation: 'page', times, fault: 'status', status: 200, body: { id: '1', status } }) as const

/** Posts that are found by the video; stories have no text by which a cell could find its post. */
export const columnOf = (format: 'video' | 'reel', action: string): Column => ({
  platform: 'facebook',
  create: action,
  async draft(kit, text) {
    return { content: text, metadata: { facebook: { format } }, mediaUrls: [await uploadFilm(kit)] }
  },
  cells: {
    ...metaCells('Facebook'),
    'token rejected permanently (401)': { scripts: [{ ...create, fault: 'token_revoked' }], outcome: lost },
    'token expires during publishing': { outcome: lost },
    'media stuck in processing': {
      scripts: [respondWith(endless, { video_status: 'processing' })],
      outcome: failed('platform_unavailable', /took too long to process the media/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [
        respondWith(2, { video_status: 'error', processing_phase: { error: { message: 'Resolution too low.' } } }),
      ],
      outcome: failed('rejected', /could not process the video: Resolution too low\./, { creates: 0 }),
    },
  },
})
