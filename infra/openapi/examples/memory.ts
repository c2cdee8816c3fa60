import type * as memory from '../../../functions/api/memory/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { collection, memory: id } = story

export const memoryExamples: ExamplesOf<typeof memory> = {
  createCollection: { request: { name: 'Recipes', color: 'yellow', isPrivate: false } },
  getCollection: { params: { id: collection } },
  updateCollection: { params: { id: collection }, request: { name: 'Recipes and stories' } },
  deleteCollection: { params: { id: collection } },
  listCollections: { query: { limit: 2 } },
  create: {
    request: { text: 'Customers like posts about the night shift more than offers.', collectionId: collection },
  },
  list: { query: { collectionId: collection, limit: 2 } },
  search: { request: { prompt: 'What do customers like to read?', collectionIds: [collection], topK: 5 } },
  delete: { params: { id }, request: { collectionId: collection } },
}
