import { assistantActor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { onlyConditionFailed } from '../db/condition-failed.ts'
import { absent } from '../db/expression.ts'
import { ulid } from '../ids.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Collection, collections } from './collection.ts'
import { collectionNotFound, writableBy } from './find.ts'
import { type Memory, memories, viewMemory } from './memory.ts'
import { assertMemoryQuota } from './quota.ts'
import { enqueueIndexing } from './search/enqueue-indexing.ts'

/** An index is requested after this many new memories; the next request, or a search, makes up for a lost one. */
const indexEvery = 100

/**
 * Stores a text in a collection. The same transaction requires that the collection exists and is visible to the writer.
 * Throws 409 at the quota.
 */
export const createMemory = async (
  ctx: Context,
  workspace: Workspace,
  collection: Collection,
  { userId, text }: { userId: string; text: string },
) => {
  await assertMemoryQuota(ctx, workspace, collection)
  const nowMs = ctx.clock.now()
  const { workspaceId, id: collectionId } = collection
  const createdAt = new Date(nowMs).toISOString()
  const memory: Memory = { id: `mem_${ulid(nowMs)}`, workspaceId, collectionId, text, createdBy: userId, createdAt }
  const view = viewMemory(memory)
  const counted = { add: { memoryCount: 1 } }
  await commit(ctx, workspace, {
    writes: [
      { as: 'collection', update: collections.key(collection), change: counted, when: writableBy(userId) },
      { put: memories.item(memory), when: absent('PK') },
    ],
    audit: { by: assistantActor(ctx), action: 'memory.created', target: { type: 'memory', id: memory.id } },
    response: { data: view },
  }).catch((error: unknown) => {
    throw onlyConditionFailed(error, 'collection') ? collectionNotFound(collectionId, 'collectionId') : error
  })
  // Searches read the newest memories from the table: an index is requested before that becomes slow.
  if ((collection.memoryCount + 1) % indexEvery === 0) await enqueueIndexing(ctx, workspaceId, collectionId)
  return view
}
