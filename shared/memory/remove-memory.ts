import { recordByAssistant } from '../audit/by-assistant.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { transact } from '../db/table.ts'
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
  await transact(ctx, () => [
    {
      as: 'collection',
      update: collections.key(collection),
      change: { add: { memoryCount: -1 } },
      when: writableBy(userId),
    },
    { as: 'memory', delete: memories.key(memory), when: present('PK') },
    removalOf(memory, ctx.clock.now()),
    ...recordByAssistant(ctx, {
      workspaceId: memory.workspaceId,
      action: 'memory.deleted',
      target: { type: 'memory', id: memory.id },
    }),
  ]).catch((error: unknown) => {
    if (conditionFailed(error, 'collection')) throw collectionNotFound(collection.id, 'collectionId')
    throw conditionFailed(error, 'memory') ? memoryNotFound(memory.id) : error
  })
}
