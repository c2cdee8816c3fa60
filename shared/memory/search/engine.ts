import type { Context } from '../../context.ts'
import type { BatchRows, Key } from '../../db/table.ts'
import type { Collection } from '../collection.ts'
import { collectionKeys, findCollection } from '../find.ts'
import { type MemoryIndex, memoryIndexes } from './index-row.ts'

export type EngineName = 'lexical' | 'vectors'

/** The search engines of this deployment. */
export const enginesOf = (ctx: Context): readonly EngineName[] => {
  const mode = ctx.env('MEMORY_SEARCH')
  if (mode === 'lexical' || mode === 'vectors') return [mode]
  if (mode === 'hybrid') return ['lexical', 'vectors']
  throw new Error(`the memories cannot be searched by "${mode}"`)
}

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

/** A memory that an engine found, with a score from 0 to 1 that is comparable only within this result. */
export interface Hit {
  collectionId: string
  id: string
  score: number
}

/** A collection whose indexes are updated by the one worker that holds its lease. */
export interface IndexWork {
  row: MemoryIndex
  /** The ids of removed memories that must leave the index. */
  removed: readonly string[]
  /** No new memory can get an id below this one, so that everything below can be indexed. */
  below: string
  /** Stores how far the index has come; throws if another worker holds the lease. */
  keep(change: Partial<MemoryIndex>): Promise<void>
}

/** One way to search memories. */
export interface Engine {
  name: EngineName
  /** Indexes new memories and takes out removed ones; returns whether there is more work than fits into one run. */
  updateIndex(ctx: Context, work: IndexWork): Promise<{ hasMore: boolean }>
  /** Runs the query once, and returns a function for its best hits, best first; a caller can ask for more later. */
  search(ctx: Context, searched: readonly Searched[], prompt: string): Promise<(max: number) => Hit[]>
}
