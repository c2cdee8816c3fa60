import fc from 'fast-check'
import type { Item, Value } from '../../../../engines/table/value.ts'
import type { TablePlan } from '../../../../template/stores.ts'
import { anyValue, kinds, numberText, seldom } from './values.ts'

type Plan = Omit<TablePlan, 'TableName' | 'TimeToLiveSpecification'>

/** A table or one of its indexes as a query uses it: its key attributes, and values for them. */
export interface Source {
  IndexName: string | undefined
  hash: string
  range: string
  partitions: fc.Arbitrary<Value>
  sorts: fc.Arbitrary<Value>
}

/** Attributes by what they mostly hold; `any` names them all. */
export type Names = Readonly<Record<'any' | 'N' | 'SS' | 'L' | 'M', readonly string[]>>

/** A table on which requests are drawn. It has few keys and few values, so that operations meet. */
export interface Subject {
  plan: Plan
  key: fc.Arbitrary<Item>
  /** A whole item; mostly one that can be stored. */
  item: fc.Arbitrary<Item>
  names: Names & { keys: readonly string[] }
  table: Source
  indexes: readonly Source[]
}

const text = (...all: string[]) => fc.constantFrom(...all).map((S): Value => ({ S }))
const partitions = text('p', 'q')
const indexPartitions = text('u', 'v')
const sorts = {
  S: seldom(text('a', 'a#1', 'b', 'ü', '漢', '😀'), text('')),
  N: numberText.map((N): Value => ({ N })),
  B: fc.constantFrom('AQ==', 'AQI=', '/w==').map((B): Value => ({ B })),
}

const keysOf = (schema: Plan['KeySchema']) => {
  const [hash = '', range = ''] = (['HASH', 'RANGE'] as const).map(
    (type) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName,
  )
  return { hash, range }
}

/** Makes a subject of a table whose keys and indexes all have two attributes, the first of them a text. */
export const subjectOf = (plan: Plan, names: Names): Subject => {
  const typeOf = new Map(
    plan.AttributeDefinitions.map((attribute) => [attribute.AttributeName, attribute.AttributeType]),
  )
  const sortsOf = (name: string) => sorts[typeOf.get(name) ?? 'S']
  const { hash, range } = keysOf(plan.KeySchema)
  const indexes = (plan.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema }): Source => {
    const keys = keysOf(KeySchema)
    return { IndexName, ...keys, partitions: indexPartitions, sorts: sortsOf(keys.range) }
  })
  const indexed = Object.fromEntries(
    indexes.flatMap((index) => [
      [index.range, index.sorts],
      [index.hash, index.partitions],
    ]),
  )
  const key = fc.record({ [hash]: partitions, [range]: sortsOf(range) })
  const typed = Object.fromEntries(
    (['N', 'SS', 'L', 'M'] as const).flatMap((kind) => names[kind].map((name) => [name, kinds[kind]])),
  )
  const optional = <T>(model: Record<string, fc.Arbitrary<T>>) => fc.record(model, { requiredKeys: [] })
  const item = fc
    .tuple(
      fc.dictionary(fc.constantFrom(...names.any), anyValue, { maxKeys: 3 }),
      optional(typed),
      seldom(optional(indexed), optional(Object.fromEntries(Object.keys(indexed).map((name) => [name, anyValue]))), 60),
      key,
    )
    .map((parts): Item => Object.assign({}, ...parts))
  return {
    plan,
    key,
    item,
    names: { ...names, keys: [...new Set([hash, range, ...Object.keys(indexed)])] },
    table: { IndexName: undefined, hash, range, partitions, sorts: sortsOf(range) },
    indexes,
  }
}
