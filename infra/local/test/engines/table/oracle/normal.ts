import { formatDecimal, parseDecimal } from '../../../../engines/table/decimal.ts'
import type { Command } from '../requests/command.ts'
import type { Answer } from './wire.ts'

/*
 * Where DynamoDB Local differs from DynamoDB, DynamoDB decides: by AWS's documents, and by what it answered to
 * github.com/nubo-db/dynamodb-conformance, of whose 601 tests DynamoDB Local fails 71 (`results/dynamodb-local.json` there,
 * 2026-04-27). Differences that no request here can show (words of errors, which are not compared; words for
 * `ReturnConsumedCapacity`; short names of tables) are checked by the tests in `recorded-aws`.
 */

type Plain = Record<string, unknown>

const sorted = (list: readonly unknown[]): unknown[] =>
  list
    .map((value) => JSON.stringify(value))
    .sort()
    .map((text) => JSON.parse(text))

/** DynamoDB trims zeros (developer guide, "Data types"); DynamoDB Local stores some numbers unchanged. */
const trimmed = (number: unknown): unknown => {
  try {
    return formatDecimal(parseDecimal(String(number)))
  } catch {
    return number
  }
}

/** Without the order of members of objects and of sets, which have none. */
const withoutOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => {
        const plain = withoutOrder(member)
        if (name === 'N' && typeof plain === 'string') return [name, trimmed(plain)]
        if (!['SS', 'NS', 'BS'].includes(name) || !Array.isArray(plain)) return [name, plain]
        return [name, plain.map((value) => (name === 'NS' ? trimmed(value) : value)).sort()]
      }),
  )
}

/**
 * Requests whose units DynamoDB Local counts differently than AWS documents ("DynamoDB read and write operations"): a read
 * of an item that does not exist, or a query that finds none, consumes units on AWS and none there; a batch that deletes
 * what does not exist consumes two, a transaction fewer for what it deletes, only checks, or leaves unchanged.
 */
const isCountedOtherwise = ({ operation }: Command, { ScannedCount, Item }: Plain): boolean => {
  if (operation.startsWith('Batch') || operation.startsWith('Transact')) return true
  if (operation === 'GetItem') return Item === undefined
  return ScannedCount === 0
}

/**
 * The units of the table alone: DynamoDB Local counts units of an index also where an item is in it neither before nor
 * after the write.
 */
const unitsOfTable = (consumed: unknown): unknown => (consumed as { Table?: unknown } | undefined)?.Table

/**
 * A transaction that is refused for a key, or for what an update would have stored: AWS cancels it with the reason
 * `ValidationError` (API reference, TransactWriteItems; recorded: `transactGetItems.test.ts` and
 * `transactWriteItems.test.ts`), DynamoDB Local mostly refuses the request as a whole.
 */
const isInvalidTransaction = ({ operation }: Command, { error, reasons }: Plain): boolean =>
  operation.startsWith('Transact') &&
  (error === 'ValidationException' ||
    (error === 'TransactionCanceledException' &&
      (reasons === undefined || JSON.stringify(reasons).includes('"ValidationError"'))))

/**
 * A transaction that has an action twice: AWS refuses the request (API reference, TransactWriteItems: "ValidationException
 * … multiple operations on one item"), DynamoDB Local looks at the conditions first.
 */
const isRepeated = ({ operation, input }: Command, { error }: Plain): boolean => {
  if (operation !== 'TransactWriteItems' || error === undefined || !Array.isArray(input['TransactItems'])) return false
  const actions = input['TransactItems'].map((action) => JSON.stringify(action))
  return new Set(actions).size < actions.length
}

/**
 * What cannot be read as a request is a `SerializationException` on AWS; DynamoDB Local answers `InternalFailure` to some
 * of it and `ValidationException` to some. Which of two faults is reported is undefined as well.
 */
const refusals = ['ValidationException', 'SerializationException', 'InternalFailure', 'ResourceNotFoundException']
const isUnreadable = ({ broken }: Command, { error }: Plain): boolean =>
  broken === true && refusals.includes(String(error))

/**
 * A request for an index with a mistake in it and a filter: AWS refuses a filter that names what the index does not project
 * (recorded for `ProjectionExpression`: `queries.test.ts`), DynamoDB Local lets `attribute_exists` name anything.
 */
const isBrokenFilter = ({ broken, input }: Command): boolean =>
  broken === true && input['IndexName'] !== undefined && input['FilterExpression'] !== undefined

/** Of an update of a part of an attribute, `UPDATED_OLD` and `UPDATED_NEW` return that part on AWS; DynamoDB Local
 * returns the whole attribute or nothing, by the kind of action. */
const returnsParts = ({ operation, input }: Command): boolean =>
  operation === 'UpdateItem' &&
  String(input['ReturnValues']).startsWith('UPDATED_') &&
  /[.[]/.test(String(input['UpdateExpression']))

/**
 * Whether a page ends at a bound of the key condition: there, AWS does not define whether it returns a key to continue from
 * (API reference, Query: "it does not necessarily mean that there is more data").
 */
const endsAtBound = ({ input }: Command, last: unknown): boolean => {
  const values = Object.values(input['ExpressionAttributeValues'] ?? {}).map((value) =>
    JSON.stringify(withoutOrder(value)),
  )
  return Object.values(last ?? {}).filter((value) => values.includes(JSON.stringify(value))).length > 1
}

const ofEachTable = (responses: object) =>
  Object.fromEntries(Object.entries(responses).map(([name, items]) => [name, sorted(items as unknown[])]))

interface Table {
  KeySchema: unknown
  AttributeDefinitions: unknown[]
  ItemCount: number
  GlobalSecondaryIndexes?: { IndexName: string; KeySchema: unknown; Projection: unknown }[]
}

/** A table without environment-specific fields: its ARN, dates, and sizes in bytes. */
const describedTable = ({ KeySchema, AttributeDefinitions, ItemCount, GlobalSecondaryIndexes = [] }: Table) => ({
  KeySchema,
  AttributeDefinitions: sorted(AttributeDefinitions),
  ItemCount,
  indexes: sorted(
    GlobalSecondaryIndexes.map(({ IndexName, KeySchema: keys, Projection }) => ({ IndexName, keys, Projection })),
  ),
})

/** One answer without what AWS leaves open, and without what this file lists as different. */
const normalAnswer = (command: Command, answer: Answer): Plain => {
  const { ConsumedCapacity, message: _, ...rest } = withoutOrder(answer) as Plain
  const refused = [isUnreadable, isBrokenFilter, isInvalidTransaction, isRepeated].some((is) => is(command, rest))
  if (refused) return { error: 'refused' }
  const plain = { ...rest }
  if (!isCountedOtherwise(command, rest)) plain['units'] = unitsOfTable(ConsumedCapacity)
  if (endsAtBound(command, plain['LastEvaluatedKey'])) delete plain['LastEvaluatedKey']
  if (returnsParts(command)) delete plain['Attributes']
  if (command.operation === 'BatchGetItem') plain['Responses'] = ofEachTable(plain['Responses'] ?? {})
  if (plain['Table']) plain['Table'] = describedTable(plain['Table'] as Table)
  return plain
}

/** Rows of an index that share its sort key have no order among them; where that key is not shown, none has. */
const withoutTies = (items: readonly unknown[], sort: string | undefined): unknown[] => {
  if (sort === undefined) return [...items]
  const keyOf = (item: unknown) => JSON.stringify((item as Plain)[sort])
  const runs: unknown[][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run && keyOf(run[0]) === keyOf(item)) run.push(item)
    else runs.push([item])
  }
  return runs.flatMap(sorted)
}

/** What a command that reads to the end returned in all; where its pages end is open. */
const normalPages = ({ operation, sort, input }: Command, pages: readonly Plain[]): Plain => {
  const failed = pages.find(({ error }) => error !== undefined)
  if (failed) return failed
  const sum = (name: string) => pages.reduce((total, page) => total + Number(page[name] ?? 0), 0)
  const items = pages.flatMap(({ Items }) => (Items as unknown[] | undefined) ?? [])
  const noOrder = operation === 'Scan' || (sort !== undefined && input['ProjectionExpression'] !== undefined)
  return {
    Items: noOrder ? sorted(items) : withoutTies(items, sort),
    Count: sum('Count'),
    ScannedCount: sum('ScannedCount'),
  }
}

/** The answers to a command as both engines must give them. */
export const normal = (command: Command, answers: readonly Answer[]): unknown => {
  const plain = answers.map((answer) => normalAnswer(command, answer))
  return command.toTheEnd ? normalPages(command, plain) : plain
}
