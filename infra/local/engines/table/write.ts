import { Fault } from '../aws-server.ts'
import { applyUpdate } from './expression/apply-update.ts'
import { holds } from './expression/evaluate.ts'
import type { Action, Condition } from './expression/nodes.ts'
import { indexKeyOf, keyIn, type StoredKey } from './keys.ts'
import { keyNames } from './schema.ts'
import type { Store, StoredTable } from './store.ts'
import { assertDepth, type Item, itemBytes } from './value.ts'

// AWS, "Quotas": an item has at most 400 KB.
const maxItemBytes = 400 * 1024

/** One write to one item, as single operations, batches and transactions share it. */
export interface Write {
  table: StoredTable
  key: StoredKey
  condition?: Condition | undefined
  /** The result for the item: a new one, a changed one, none, or no change. */
  effect:
    | { is: 'put'; item: Item }
    | { is: 'update'; key: Item; actions: readonly Action[] }
    | { is: 'delete' }
    | { is: 'check' }
}

export interface Written {
  before: Item | undefined
  after: Item | undefined
}

/** A condition that did not hold; `item` is the current item. */
export class ConditionFailed extends Error {
  readonly item: Item | undefined
  constructor(item: Item | undefined) {
    super('The conditional request failed')
    this.item = item
  }
}

/** A new item that exceeds the maximum size; like an empty key, it is rejected before a transaction begins. */
export class TooLarge extends Fault {
  constructor() {
    super('ValidationException', 'Item size has exceeded the maximum allowed size')
  }
}

const isTooLarge = (item: Item) => itemBytes(item) > maxItemBytes

const assertIndexed = ({ schema }: StoredTable, item: Item): void => {
  for (const index of schema.indexes) indexKeyOf(index, item)
}

/** Rejects a new item that can never be stored; before any condition is looked at. */
export const assertStorable = (table: StoredTable, item: Item): StoredKey => {
  if (isTooLarge(item)) throw new TooLarge()
  const key = keyIn(table.schema, item)
  assertIndexed(table, item)
  return key
}

/** Rejects an update that names a key attribute. */
const assertNoKey = ({ schema }: StoredTable, actions: readonly Action[]): void => {
  const named = keyNames(schema).find((name) => actions.some(({ path }) => path[0] === name))
  if (named === undefined) return
  throw new Fault(
    'ValidationException',
    `One or more parameter values were invalid: Cannot update attribute ${named}. This attribute is part of the key`,
  )
}

/** Decides a write by the current item. Throws ConditionFailed, or a Fault if the result cannot be stored. */
export const decide = (store: Store, { table, key, condition, effect }: Write): Written => {
  const before = store.get(table, key)?.item
  if (condition !== undefined && !holds(before ?? {}, condition)) throw new ConditionFailed(before)
  if (effect.is === 'check') return { before, after: before }
  if (effect.is === 'delete') return { before, after: undefined }
  if (effect.is === 'put') return { before, after: effect.item }
  assertNoKey(table, effect.actions)
  const after = applyUpdate(before ?? effect.key, effect.actions)
  assertIndexed(table, after)
  assertDepth(Object.values(after))
  if (isTooLarge(after)) {
    throw new Fault('ValidationException', 'Item size to update has exceeded the maximum allowed size')
  }
  return { before, after }
}

/** Carries out a decided write. */
export const carryOut = (store: Store, { table, key, effect }: Write, { before, after }: Written): void => {
  if (effect.is === 'check') return
  if (after !== undefined) store.put(table, key, after)
  else if (before !== undefined) store.remove(table, key)
}
