import type { BatchRows, Key } from '../../db/table.ts'
import type { Collection } from '../collection.ts'
import { collectionKeys, findCollection } from '../find.ts'
import { type MemoryIndex, memoryIndexes } from './index-row.ts'

/** A collection to search, with its index row. */
export interface Searched {
  collection: Collection
  index: MemoryIndex | undefined
}

/** The rows of collections and of their indexes, read together with the authorization. */
export const searchedKeys = (workspaceId: string, collectionIds: readonly string[]): Key[] => [
  ...collectionKeys(workspaceId, collectionIds),
  ...collectionIds.map((id) => memoryIndexes.key({ workspaceId, id })),
]

/** The collections to search, each once; throws 404 for the first one that this person cannot see. */
export const findSearched = (
  found: BatchRows,
  workspaceId: string,
  collectionIds: readonly string[],
  userId: string,
): Searched[] =>
  [...new Set(collectionIds)].map((id) => ({
    collection: findCollection(found, { workspaceId, id }, userId, 'collectionIds'),
    index: memoryIndexes.from(found, { workspaceId, id }),
  }))
