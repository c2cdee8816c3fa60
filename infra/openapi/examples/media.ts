import type * as media from '../../../functions/api/media/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { picture: id } = story

export const mediaExamples: ExamplesOf<typeof media> = {
  create: {
    request: {
      content: 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=',
      filename: 'dot.gif',
      altText: 'A dot',
    },
  },
  createUploadUrl: { request: { filename: 'loaf.jpg', mimeType: 'image/jpeg', fileSize: 482_113 } },
  complete: {
    request: {
      storageKey: story.upload,
      originalFilename: 'loaf.jpg',
      mimeType: 'image/jpeg',
      fileSize: 482_113,
      altText: 'A loaf on a wooden board',
    },
  },
  get: { params: { id } },
  list: { query: { limit: 2 } },
  update: { params: { id }, request: { altText: 'A loaf of rye bread on a wooden board' } },
  delete: { params: { id } },
}
