import { absent, allOf, anyOf, type Condition, equal } from '../db/expression.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Collection, collections, isVisible } from './collection.ts'
import { type Memory, memories } from './memory.ts'

/** The rows of collections, read together with the authorization. */
export const collectionKeys = (workspaceId: string, ids: readonly string[]): Key[] =>
  ids.map((id) => collections.key({ workspaceId, id }))

/** The rows of a memory and its collection, for the same read. */
export const memoryKeys = (workspaceId: string, collectionId: string, id: string): Key[] => [
  collections.key({ workspaceId, id: collectionId }),
  memories.key({ workspaceId, collectionId, id }),
]

export const collectionNotFound = (id: string, field: string): Refusal =>
  new Refusal('missing', `This workspace has no memory collection ${id}.`, { code: 'collection_not_found', field })

export const memoryNotFound = (id: string): Refusal =>
  new Refusal('missing', `This collection has no memory ${id}.`, { code: 'memory_not_found', field: 'id' })

/** The named collection; throws 404 if this person cannot see one with that id. */
export const findCollection = (
  rows: BatchRows,
  { workspaceId, id }: { workspaceId: string; id: string },
  userId: string,
  field: string,
): Collection => {
  const collection = collections.from(rows, { workspaceId, id })
  if (!collection || !isVisible(collection, userId)) throw collectionNotFound(id, field)
  return collection
}

export const findMemory = (rows: BatchRows, { workspaceId, id: collectionId }: Collection, id: string): Memory => {
  const memory = memories.from(rows, { workspaceId, collectionId, id })
  if (!memory) throw memoryNotFound(id)
  return memory
}

/** The same rule as a condition: the writer can still see the collection. */
export const writableBy = (userId: string): Condition =>
  allOf(absent('deletedAtMs'), anyOf(equal('isPrivate', false), equal('createdBy', userId)))
