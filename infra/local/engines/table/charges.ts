import { Capacity, writeUnits } from './capacity.ts'
import { indexKeyOf } from './keys.ts'
import { type IndexSchema, keyNames, type TableSchema } from './schema.ts'
import { type Item, itemBytes, memberOf, sameValue } from './value.ts'
import type { Write, Written } from './write.ts'

/** Units that a request consumes of one partition of a table, or of an index of it. */
export interface Charge {
  index?: string | undefined
  hash: string
  units: number
  /** The item that was written or read; of a query, the first one. */
  item?: Item | undefined
}

/** What an item uses in an index: the size of its part there, and the partition. */
const indexed = (schema: TableSchema, index: IndexSchema, item: Item | undefined) => {
  const key = item && indexKeyOf(index, item)
  if (item === undefined || key === undefined) return undefined
  const names = new Set([...keyNames(schema), ...keyNames(index), ...(index.included ?? Object.keys(item))])
  const part = Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))
  return { part, hash: key.hash, units: writeUnits(itemBytes(part)) }
}

const sameItem = (a: Item, b: Item) => sameValue({ M: a }, { M: b })

const differs = (a: Item, b: Item, name: string): boolean => {
  const [one, other] = [memberOf(a, name), memberOf(b, name)]
  return one === undefined || other === undefined || !sameValue(one, other)
}

const chargesOfIndex = (schema: TableSchema, index: IndexSchema, { before, after }: Written): Charge[] => {
  const [old, now] = [indexed(schema, index, before), indexed(schema, index, after)]
  const charge = (hash: string, units: number) => ({ index: index.name, hash, units, item: after ?? before })
  if (old === undefined || now === undefined) {
    const one = old ?? now
    return one === undefined ? [] : [charge(one.hash, one.units)]
  }
  if (sameItem(old.part, now.part)) return []
  const moved = keyNames(index).some((name) => differs(old.part, now.part, name))
  // A changed key is a deletion and an insertion.
  if (moved) return [charge(old.hash, old.units), charge(now.hash, now.units)]
  return [charge(now.hash, Math.max(old.units, now.units))]
}

/** The units of a write: by the larger of both states, and for each index whose part of the item changes. */
export const chargesOf = ({ table: { schema }, key: { hash } }: Write, written: Written): Charge[] => {
  const bytes = (item: Item | undefined) => (item === undefined ? 0 : itemBytes(item))
  const units = writeUnits(Math.max(bytes(written.before), bytes(written.after)))
  const item = written.after ?? written.before
  return [{ hash, units, item }, ...schema.indexes.flatMap((index) => chargesOfIndex(schema, index, written))]
}

/**
 * The same in a transaction, which prepares and commits each item of the table: twice the units (developer guide, "Amazon
 * DynamoDB Transactions: How it works", capacity management). Indexes are updated once, after the commit, and cost what
 * they cost outside of a transaction (measured on AWS: github.com/nubo-db/dynoxide, docs/compatibility-summary.md).
 */
export const transactionChargesOf = (write: Write, written: Written): Charge[] =>
  chargesOf(write, written).map((charge) =>
    charge.index === undefined ? { ...charge, units: 2 * charge.units } : charge,
  )

export const capacityOf = (charges: readonly Charge[]): Capacity => {
  const capacity = new Capacity()
  for (const { units, index } of charges) capacity.add(units, index)
  return capacity
}
