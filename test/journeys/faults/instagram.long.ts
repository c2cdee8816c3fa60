import { uploadJpeg } from '../upload-file.ts'
import { type Column, endless, failed } from './column.ts'
import { containerCells, containerResponds, metaCells } from './meta.ts'
import { runColumn } from './run.ts'

const column: Column = {
  platform: 'instagram',
  create: 'POST /{user}/media_publish',
  async draft(kit, text) {
    return { content: text, metadata: { instagram: { format: 'feed_image' } }, mediaUrls: [await uploadJpeg(kit)] }
  },
  cells: {
    ...metaCells('Instagram'),
    ...containerCells,
    'media stuck in processing': {
      scripts: [containerResponds(endless, { id: '1', status_code: 'IN_PROGRESS' })],
      outcome: failed('platform_unavailable', /took too long to process the media/, { creates: 0 }),
    },
    'media failed in processing': {
      scripts: [containerResponds(2, { id: '1', status_code: 'ERROR', status: 'Error: the format, 2207026' })],
      outcome: failed('rejected', /could not process the media: Error: the format, 2207026/, { creates: 0 }),
    },
  },
}

runColumn(column)
