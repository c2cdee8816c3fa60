import { countsOf } from '../db/counters.ts'
import { absent, anyOf, below } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'

/** Decided: the maximum number of collections in a workspace. */
const maxCollections = 200

const key = (workspaceId: string) => ({ PK: countsOf(workspaceId, 'COLLECTION'), SK: '0' })

/** Reserves a slot for one more collection; one row counts them, so that concurrent creates respect the limit. */
export const reserveCollection = (workspaceId: string): Write => ({
  as: 'limit',
  update: key(workspaceId),
  change: { add: { taken: 1 } },
  when: anyOf(absent('taken'), below('taken', maxCollections)),
})

export const releaseCollection = (workspaceId: string): Write => ({
  update: key(workspaceId),
  change: { add: { taken: -1 } },
})

export const collectionLimitReached = (): Refusal =>
  new Refusal('invalid', `A workspace has at most ${maxCollections} memory collections. Delete one first.`, {
    code: 'collection_limit',
  })
