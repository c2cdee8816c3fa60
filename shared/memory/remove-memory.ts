import { assistantActor } from '../audit/actor.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { type Collection, collections } from './collection.ts'
import { collectionNotFound, memoryNotFound, writableBy } from './find.ts'
import { type Memory, memories } from './memory.ts'
import { removalOf } from './search/index-row.ts'

/** Removes a memory from its collection: of concurrent removals, one succeeds, and it is counted once. */
export const removeMemory = async (
  ctx: Context,
  collection: Collection,
  memory: Memory,
  userId: string,
): Promise<void> => {
  const { id, workspaceId } = memory
  const counted = { add: { memoryCount: -1 } }
  const unit: Unit = {
    writes: [
      { as: 'collection', update: collections.key(collection), change: counted, when: writableBy(userId) },
      { as: 'memory', delete: memories.key(memory), when: present('PK') },
      removalOf(memory, ctx.clock.now()),
    ],
    audit: { by: assistantActor(ctx), action: 'memory.deleted', target: { type: 'memory', id } },
  }
  await commit(ctx, { id: workspaceId }, unit).catch((error: unknown) => {
    if (conditionFailed(error, 'collection')) throw collectionNotFound(collection.id, 'collectionId')
    throw conditionFailed(error, 'memory') ? memoryNotFound(id) : error
  })
}
