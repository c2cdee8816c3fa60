import type { Context } from '../context.ts'
import { type PageRequest, pageNewest } from '../db/list.ts'
import type { Collection } from './collection.ts'
import { memories, memoriesOf, viewMemory } from './memory.ts'

/** A page of the memories of a collection, newest first; the collection's row has their number. */
export const listMemories = (ctx: Context, { workspaceId, id, memoryCount }: Collection, page: PageRequest) =>
  pageNewest(ctx, memoriesOf(workspaceId, id), page, { readable: memories.readable, view: viewMemory }, memoryCount)
