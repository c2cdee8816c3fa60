import { uploadPng } from '../upload.ts'
import { type Column, endless, failed } from './column.ts'
import { containerCells, containerResponds, metaCells } from './meta.ts'
import { runColumn } from './run.ts'

const column: Column = {
  platform: 'threads',
  create: 'POST /{user}/threads_publish',
  async draft(kit, text, withMedia) {
    return { content: text, mediaUrls: withMedia ? [(await uploadPng(kit)).id] : [] }
  },
  cells: {
    ...metaCells('Threads'),
    ...containerCells,
    'media stuck in processing': {
      scripts: [containerResponds(endless, { id: '1', status: 'IN_PROGRESS' })],
      outcome: failed('platform_unavailable', /took too long to process the media/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [containerResponds(2, { id: '1', status: 'ERROR', error_message: 'INVALID_ASPEC_RATIO' })],
      outcome: failed('rejected', /could not process the media: INVALID_ASPEC_RATIO/, { creates: 0 }),
    },
  },
}

runColumn(column)
runColumn({ ...column, isReply: true })
