import { Fault } from '../aws-server.ts'
import { Capacity, writeUnits } from './capacity.ts'
import { applyUpdate } from './expression/apply-update.ts'
import { holds } from './expression/evaluate.ts'
import type { Action, Condition } from './expression/nodes.ts'
import { indexKeyOf, keyIn, type StoredKey } from './keys.ts'
import { type IndexSchema, keyNames, type TableSchema } from './schema.ts'
import type { Store, StoredTable } from './store.ts'
import { type Item, itemBytes, memberOf, sameValue } from './value.ts'

// AWS, "Quotas": an item has at most 400 KB.
const maxItemBytes = 400 * 1024

/** One write to one item, as single operations, batches and transactions share it. */
export interface Write {
  table: StoredTable
  key: StoredKey
  condition?: Condition | undefined
  /** What becomes of the item: a new one, a changed one, none, or nothing at all. */
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

/** A condition that did not hold; `item` is the item as it is. */
export class ConditionFailed extends Error {
  readonly item: Item | undefined
  constructor(item: Item | undefined) {
    super('The conditional request failed')
    this.item = item
  }
}

const tooLarge = (message: string) => new Fault('ValidationException', message)

const assertItem = ({ schema }: StoredTable, item: Item, message: string): void => {
  for (const index of schema.indexes) indexKeyOf(index, item)
  if (itemBytes(item) > maxItemBytes) throw tooLarge(message)
}

/** Refuses a new item that can never be stored; before any condition is looked at. */
export const assertStorable = (table: StoredTable, item: Item): StoredKey => {
  const key = keyIn(table.schema, item)
  assertItem(table, item, 'Item size has exceeded the maximum allowed size')
  return key
}

/** Refuses an update that names a key attribute. */
export const assertNoKey = ({ schema }: StoredTable, actions: readonly Action[]): void => {
  const named = keyNames(schema).find((name) => actions.some(({ path }) => path[0] === name))
  if (named === undefined) return
  throw new Fault(
    'ValidationException',
    `One or more parameter values were invalid: Cannot update attribute ${named}. This attribute is part of the key`,
  )
}

/** Decides a write by the item as it is; throws ConditionFailed, or a Fault where the result cannot be stored. */
export const decide = (store: Store, { table, key, condition, effect }: Write): Written => {
  const before = store.get(table, key)?.item
  if (condition !== undefined && !holds(before ?? {}, condition)) throw new ConditionFailed(before)
  if (effect.is === 'check') return { before, after: before }
  if (effect.is === 'delete') return { before, after: undefined }
  if (effect.is === 'put') return { before, after: effect.item }
  const after = applyUpdate(before ?? effect.key, effect.actions)
  assertItem(table, after, 'Item size to update has exceeded the maximum allowed size')
  return { before, after }
}

/** Makes a write that was decided. */
export const carryOut = (store: Store, { table, key, effect }: Write, { before, after }: Written): void => {
  if (effect.is === 'check') return
  if (after !== undefined) store.put(table, key, after)
  else if (before !== undefined) store.remove(table, key)
}

/** What an item takes in an index. */
const indexed = (schema: TableSchema, index: IndexSchema, item: Item | undefined): Item | undefined => {
  if (item === undefined || indexKeyOf(index, item) === undefined) return undefined
  if (index.included === undefined) return item
  const names = new Set([...keyNames(schema), ...keyNames(index), ...index.included])
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))
}

const sameItem = (a: Item, b: Item) => sameValue({ M: a }, { M: b })

/** The units of a write: by the larger of both states, and for each index whose part of the item changes. */
export const capacityOf = ({ table: { schema } }: Pick<Write, 'table'>, { before, after }: Written): Capacity => {
  const capacity = new Capacity()
  const bytes = (item: Item | undefined) => (item === undefined ? 0 : itemBytes(item))
  capacity.add(writeUnits(Math.max(bytes(before), bytes(after))))
  for (const index of schema.indexes) {
    const [old, now] = [indexed(schema, index, before), indexed(schema, index, after)]
    if (old === undefined && now === undefined) continue
    if (old !== undefined && now !== undefined && sameItem(old, now)) continue
    const moved = old !== undefined && now !== undefined && keyNames(index).some((name) => differs(old, now, name))
    // A changed key is a deletion and an insertion.
    if (moved) capacity.add(writeUnits(bytes(old)) + writeUnits(bytes(now)), index.name)
    else capacity.add(writeUnits(Math.max(bytes(old), bytes(now))), index.name)
  }
  return capacity
}

const differs = (a: Item, b: Item, name: string): boolean => {
  const [one, other] = [memberOf(a, name), memberOf(b, name)]
  return one === undefined || other === undefined || !sameValue(one, other)
}
