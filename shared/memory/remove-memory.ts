import type { Context } from '../context.ts'
import { present } from '../db/expression.ts'
import { isLost } from '../db/lost.ts'
import { transact } from '../db/table.ts'
import { type Collection, collections } from './collection.ts'
import { missingCollection, missingMemory, writableBy } from './find.ts'
import { type Memory, memories } from './memory.ts'
import { removalOf } from './search/index-row.ts'

/** Removes a memory from its collection: of removals at the same moment one does it, and it is counted once. */
export const removeMemory = async (
  ctx: Context,
  collection: Collection,
  memory: Memory,
  userId: string,
): Promise<void> => {
  await transact(ctx, () => [
    { update: collections.key(collection), change: { add: { memoryCount: -1 } }, when: writableBy(userId) },
    { delete: memories.key(memory), when: present('PK') },
    removalOf(memory, ctx.clock.now()),
  ]).catch((error: unknown) => {
    if (isLost(error, 0)) throw missingCollection(collection.id, 'collectionId')
    throw isLost(error, 1) ? missingMemory(memory.id) : error
  })
}
