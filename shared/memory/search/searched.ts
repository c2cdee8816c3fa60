import type { BatchRows, Key } from '../../db/table.ts'
import { collectionKeys, findCollection } from '../find.ts'
import type { Searched } from './engine.ts'
import { memoryIndexes } from './index-row.ts'

/** The rows of collections and of their indexes, for the read that also authorizes. */
export const searchedKeys = (workspaceId: string, collectionIds: readonly string[]): Key[] => [
  ...collectionKeys(workspaceId, collectionIds),
  ...collectionIds.map((id) => memoryIndexes.key({ workspaceId, id })),
]

/** The collections to search, each once; 404 for the first that this person may not know of. */
export const findSearched = (
  found: BatchRows,
  workspaceId: string,
  collectionIds: readonly string[],
  userId: string,
): Searched[] =>
  [...new Set(collectionIds)].map((id) => ({
    collection: findCollection(found, workspaceId, id, userId, 'collectionIds'),
    index: memoryIndexes.from(found, { workspaceId, id }),
  }))
