import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { onlyConditionFailed } from '../db/condition-failed.ts'
import { absent } from '../db/expression.ts'
import { ulid } from '../ids.ts'
import { type Collection, collections, viewCollection } from './collection.ts'
import { collectionLimitReached, reserveCollection } from './collection-limit.ts'
import type { CreateCollectionRequest } from './requests.ts'

export const createCollection = async (
  ctx: Context,
  workspaceId: string,
  userId: string,
  { name, color = null, isPrivate = false }: CreateCollectionRequest,
) => {
  const nowMs = ctx.clock.now()
  const now = new Date(nowMs).toISOString()
  const collection: Collection = {
    id: `col_${ulid(nowMs)}`,
    workspaceId,
    name,
    color,
    isPrivate,
    createdBy: userId,
    memoryCount: 0,
    createdAt: now,
    updatedAt: now,
  }
  const view = viewCollection(collection)
  await commit(
    ctx,
    { id: workspaceId },
    {
      writes: [reserveCollection(workspaceId), { put: collections.item(collection), when: absent('PK') }],
      response: { data: view },
    },
  ).catch((error: unknown) => {
    throw onlyConditionFailed(error, 'limit') ? collectionLimitReached() : error
  })
  return view
}
