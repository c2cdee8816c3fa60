import type { Context } from '../../context.ts'
import type { Collection } from '../collection.ts'
import type { EngineName } from './engine-setting.ts'
import type { MemoryIndex } from './index-row.ts'

/** A collection to search, with its index row. */
export interface Searched {
  collection: Collection
  index: MemoryIndex | undefined
}

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
  search(ctx: Context, searched: readonly Searched[], prompt: string): Promise<(most: number) => Hit[]>
}
