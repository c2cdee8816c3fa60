import type { Context } from '../../context.ts'
import type { Collection } from '../collection.ts'
import type { EngineName } from './engine-setting.ts'
import type { MemoryIndex } from './index-row.ts'

/** A collection that is searched, with what its index row said. */
export interface Searched {
  collection: Collection
  index: MemoryIndex | undefined
}

/** A memory that an engine found, with a score from 0 to 1 that means something within this engine's answer alone. */
export interface Hit {
  collectionId: string
  id: string
  score: number
}

/** A collection whose indexes are brought up to date by the one worker that holds its lease. */
export interface IndexWork {
  row: MemoryIndex
  /** The ids of removed memories that must leave the index. */
  removed: readonly string[]
  /** Everything below this id is there already, and may be indexed. */
  below: string
  /** Writes down how far the index has come; throws where another worker has the lease now. */
  keep(change: Partial<MemoryIndex>): Promise<void>
}

/** One way of searching memories. */
export interface Engine {
  name: EngineName
  /** Indexes what is new and forgets what was removed; answers whether there is more to do than fits into one go. */
  bringUpToDate(ctx: Context, work: IndexWork): Promise<{ hasMore: boolean }>
  /** Asks the engine once, and answers how to have its best hits, the best first; more can be wanted later. */
  search(ctx: Context, searched: readonly Searched[], prompt: string): Promise<(most: number) => Hit[]>
}
