import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Collection, collections } from './collection.ts'
import { collectionNotFound, writableBy } from './find.ts'
import type { UpdateCollectionRequest } from './requests.ts'

/**
 * Decided: every person who can see a collection can change it, but only the person who created it can make it private.
 */
const assertMaker = ({ createdBy }: Collection, userId: string) => {
  if (createdBy === userId) return
  throw new Refusal('forbidden', 'Only the person who created a collection can make it private.', {
    code: 'creator_required',
    field: 'isPrivate',
  })
}

/** Changes only the fields that were sent, so that two changes of different fields both last. */
export const updateCollection = async (
  ctx: Context,
  collection: Collection,
  userId: string,
  change: UpdateCollectionRequest,
): Promise<Collection> => {
  if (change.isPrivate) assertMaker(collection, userId)
  const requested = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(requested).length === 0) return collection
  const set = { ...requested, updatedAt: new Date(ctx.clock.now()).toISOString() }
  const changed = update(ctx, collections.key(collection), { set }, writableBy(userId))
  return collections.parse(await currentOrThrow(changed, () => collectionNotFound(collection.id, 'id')))
}
