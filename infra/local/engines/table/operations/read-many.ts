import * as z from 'zod/mini'
import { invalid } from '../../aws-server.ts'
import { Capacity, readUnits } from '../capacity.ts'
import { holds } from '../expression/evaluate.ts'
import { namedIn } from '../expression/named.ts'
import type { Condition, Path } from '../expression/nodes.ts'
import { parseCondition } from '../expression/parse-condition.ts'
import { parseProjection, projector } from '../expression/project.ts'
import { assertSelected, selectionOf } from '../key-condition.ts'
import { indexKeyOf, keyOf, only, pageKeyOf, projection, type StoredKey } from '../keys.ts'
import { readStrictly } from '../read-strictly.ts'
import { consumed, marksOf, Names, ReturnCapacity, type Session, TableName, tableOf, Values } from '../request.ts'
import { type IndexSchema, type Keys, keyNames, type TableSchema } from '../schema.ts'
import type { StoredTable } from '../store.ts'
import { type Item, itemBytes, readItem } from '../value.ts'
import { assertInIndex, assertSelectable } from './select.ts'

// AWS, "Quotas": a page of Query or Scan reads up to 1 MB.
const maxPageBytes = 1024 * 1024

const common = {
  TableName,
  IndexName: z.optional(z.string()),
  ExclusiveStartKey: z.optional(z.record(z.string(), z.unknown())),
  FilterExpression: z.optional(z.string()),
  ProjectionExpression: z.optional(z.string()),
  ExpressionAttributeNames: Names,
  ExpressionAttributeValues: Values,
  ConsistentRead: z.optional(z.boolean()),
  Select: z.optional(z.enum(['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'])),
  ReturnConsumedCapacity: ReturnCapacity,
}
const ScanInput = z.strictObject({
  ...common,
  Limit: z.optional(z.int().check(z.minimum(1))),
})
const QueryInput = z.strictObject({
  ...common,
  KeyConditionExpression: z.optional(z.string()),
  Limit: z.optional(z.int()),
  ScanIndexForward: z.optional(z.boolean()),
})
type Given = z.infer<typeof ScanInput> | z.infer<typeof QueryInput>

const indexOf = ({ indexes }: TableSchema, { IndexName, ConsistentRead }: Given): IndexSchema | undefined => {
  if (IndexName === undefined) return undefined
  const index = indexes.find(({ name }) => name === IndexName)
  if (index === undefined) throw invalid(`The table does not have the specified index: ${IndexName}`)
  if (ConsistentRead) throw invalid('Consistent reads are not supported on global secondary indexes')
  return index
}

/** The start of the next page: the key of an item, and its key in the index. */
const startOf = (schema: TableSchema, index: IndexSchema | undefined, given: Given) => {
  if (given.ExclusiveStartKey === undefined) return undefined
  const startKey = readItem(given.ExclusiveStartKey)
  const more = 'KeyConditionExpression' in given ? '' : ': The provided key element does not match the schema'
  const wrong = () => invalid(`The provided starting key is invalid${more}`)
  const names = new Set([...keyNames(schema), ...(index ? keyNames(index) : [])])
  if (Object.keys(startKey).length !== names.size || Object.keys(startKey).some((name) => !names.has(name)))
    throw wrong()
  const own: StoredKey = keyOf(schema, only(startKey, keyNames(schema)))
  const indexed = index && indexKeyOf(index, startKey)
  if (index && indexed === undefined) throw wrong()
  return { own, indexed }
}

interface Plan {
  filter: Condition | undefined
  paths: readonly Path[] | undefined
}

const planOf = (given: Given, expressions: Parameters<typeof marksOf>[1]) => {
  const key = 'KeyConditionExpression' in given ? given.KeyConditionExpression : undefined
  const marks = marksOf(given, expressions)
  assertSelectable(given, key !== undefined)
  const plan: Plan = {
    filter:
      given.FilterExpression === undefined
        ? undefined
        : parseCondition(given.FilterExpression, 'FilterExpression', marks),
    paths: given.ProjectionExpression === undefined ? undefined : parseProjection(given.ProjectionExpression, marks),
  }
  const condition = key === undefined ? undefined : parseCondition(key, 'KeyConditionExpression', marks)
  marks.assertAllUsed()
  return { ...plan, condition }
}

/** Attributes that an index does not hold cannot be filtered by or returned. */
const assertProjected = (schema: TableSchema, index: IndexSchema | undefined, { filter, paths }: Plan): void => {
  if (index?.included === undefined) return
  const projected = new Set([...keyNames(schema), ...keyNames(index), ...index.included])
  const named = [...(filter === undefined ? [] : namedIn(filter)), ...(paths ?? []).map(([name]) => name)]
  const missing = [...new Set(named)].filter((name) => !projected.has(name))
  if (missing.length === 0) return
  throw invalid(
    `One or more parameter values were invalid: Global secondary index ${index.name} does not project [${missing.join(', ')}]`,
  )
}

/** The filter of a query cannot name the keys by which it selects. */
const assertNoKey = (keys: Keys, filter: Condition | undefined): void => {
  const named = filter === undefined ? undefined : namedIn(filter).find((name) => keyNames(keys).includes(name))
  if (named === undefined) return
  throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${named}`)
}

/** Reads one page: up to `Limit` items before the filter, and up to 1 MB. */
const page = (
  { schema }: StoredTable,
  index: IndexSchema | undefined,
  items: Iterable<Item>,
  { filter, paths }: Plan,
  given: Given,
  spend: (units: number, first: Item | undefined) => void,
): object => {
  const viewOf = projection(schema, index)
  const matched: Item[] = []
  let [scanned, bytes, last] = [0, 0, undefined as Item | undefined]
  let first: Item | undefined
  for (const item of items) {
    const view = viewOf(item)
    first ??= item
    scanned += 1
    bytes += itemBytes(view)
    if (filter === undefined || holds(view, filter)) matched.push(view)
    if (scanned === given.Limit || bytes >= maxPageBytes) {
      last = pageKeyOf(schema, index, item)
      break
    }
  }
  const units = readUnits(bytes, given.ConsistentRead === true)
  spend(units, first)
  const capacity = new Capacity()
  capacity.add(units, index?.name)
  return {
    ...(given.Select === 'COUNT' ? {} : { Items: matched.map(projector(paths)) }),
    Count: matched.length,
    ScannedCount: scanned,
    ...(last === undefined ? {} : { LastEvaluatedKey: last }),
    ...consumed(given.ReturnConsumedCapacity, given.TableName, () => capacity),
  }
}

/** AWS words this constraint of Query differently than that of Scan. */
const assertLimit = (limit: number | undefined): void => {
  if (limit === undefined || limit >= 1) return
  throw invalid(
    "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
  )
}

export const query = (session: Session, input: unknown): object => {
  const given = readStrictly(QueryInput, input)
  assertLimit(given.Limit)
  const { condition, ...plan } = planOf(given, ['FilterExpression', 'KeyConditionExpression', 'ProjectionExpression'])
  if (condition === undefined)
    throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.')
  const table = tableOf(session, given.TableName)
  const index = indexOf(table.schema, given)
  assertInIndex(given, index)
  assertNoKey(index ?? table.schema, plan.filter)
  assertProjected(table.schema, index, plan)
  const selection = selectionOf(index ?? table.schema, condition)
  const after = startOf(table.schema, index, given)
  if (after !== undefined) assertSelected(selection, after.indexed ?? after.own)
  const newestFirst = given.ScanIndexForward === false
  const items = session.view(given.ConsistentRead === true).query(table, index, { ...selection, newestFirst, after })
  return page(table, index, items, plan, given, (units, item) =>
    session.meter.take('Read', table, () => [{ index: index?.name, hash: selection.hash, units, item }]),
  )
}

export const scan = (session: Session, input: unknown): object => {
  const given = readStrictly(ScanInput, input)
  const plan = planOf(given, ['FilterExpression', 'ProjectionExpression'])
  const table = tableOf(session, given.TableName)
  const index = indexOf(table.schema, given)
  assertInIndex(given, index)
  assertProjected(table.schema, index, plan)
  const after = startOf(table.schema, index, given)?.own
  const items = session.view(given.ConsistentRead === true).scan(table, index, after)
  return page(table, index, items, plan, given, () => {})
}
