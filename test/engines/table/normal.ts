import { formatDecimal, parseDecimal } from '../../../infra/local/engines/table/decimal.ts'
import type { Command } from './commands.ts'

/*
 * Where DynamoDB Local differs from DynamoDB, DynamoDB decides: by AWS's documents, and by what it answered to
 * github.com/nubo-db/dynamodb-conformance, of whose 601 tests DynamoDB Local fails 71 (`results/dynamodb-local.json` there,
 * 2026-04-27). Its differences in what the embedded table has, other than those below, are the words of errors, which the
 * oracle does not compare, and constraints of values by which no operation here is made: names of tables, `Limit`,
 * `Select`, `ReturnValues`, segments, and lists that are empty or too long. Tests in `recorded-aws` hold all of them.
 */

const sorted = (list: unknown[]): unknown[] =>
  list
    .map((one) => JSON.stringify(one))
    .sort()
    .map((text) => JSON.parse(text))

const trimmed = (number: unknown) => formatDecimal(parseDecimal(String(number)))

const withoutOrder = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`
  if (Array.isArray(value)) return value.map(withoutOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => {
        const plain = withoutOrder(member)
        // DynamoDB trims zeros ("Data types" in its developer guide); DynamoDB Local does not inside lists and maps.
        if (name === 'N' && typeof plain === 'string') return [name, trimmed(plain)]
        if (!['SS', 'NS', 'BS'].includes(name) || !Array.isArray(plain)) return [name, plain]
        // The members of a set have no order.
        return [name, plain.map((one) => (name === 'NS' ? trimmed(one) : one)).sort()]
      }),
  )
}

/**
 * Whether DynamoDB Local counts capacity differently than AWS documents it: a read of an item that does not exist, or a
 * query that finds none, consumes units on AWS and none there; a batch that deletes what does not exist consumes two,
 * a transaction counts fewer for what it deletes, only checks, or leaves as it is.
 */
const isCountedOtherwise = ({ operation }: Command, { ScannedCount, Item }: Record<string, unknown>): boolean => {
  if (operation.startsWith('Batch') || operation.startsWith('Transact')) return true
  if (operation === 'GetItem') return Item === undefined
  return ScannedCount === 0
}

/**
 * The units of the table alone: DynamoDB Local counts units of an index also where an item is in it neither before nor
 * after the write.
 */
const unitsOfTable = (consumed: unknown): unknown =>
  [consumed].flat().map((one) => (one as { Table?: unknown } | undefined)?.Table)

/**
 * Whether a transaction was refused for a key, or for what an update would have stored: AWS cancels it with the reason
 * `ValidationError` (API reference, TransactWriteItems; recorded: `transactGetItems.test.ts` and
 * `transactWriteItems.test.ts`), DynamoDB Local mostly refuses the request as a whole.
 */
const isInvalidTransaction = ({ operation }: Command, { name, reasons }: Record<string, unknown>): boolean =>
  operation.startsWith('Transact') &&
  (name === 'ValidationException' || JSON.stringify(reasons ?? []).includes('"ValidationError"'))

/** At the very bound of a sort key condition, AWS leaves open whether a full page names a place to go on from. */
const isBounded = ({ operation, input }: Command): boolean =>
  operation === 'Query' && String(input['KeyConditionExpression']).includes(' AND ')

/**
 * Of an update of a part of an attribute, `UPDATED_OLD` and `UPDATED_NEW` return that part on AWS; DynamoDB Local returns
 * the whole attribute or nothing, by the kind of action.
 */
const returnsParts = ({ operation, input }: Command): boolean =>
  operation === 'UpdateItem' &&
  String(input['ReturnValues']).startsWith('UPDATED_') &&
  /[.[]/.test(String(input['UpdateExpression']))

/** An answer without what AWS leaves open: the order of scans, batches, sets, and of equal keys in an index. */
export const normal = (command: Command, answer: unknown): unknown => {
  const { ConsumedCapacity, ...rest } = withoutOrder(answer) as Record<string, unknown>
  if (isInvalidTransaction(command, rest)) return 'invalid'
  const plain: Record<string, unknown> = isCountedOtherwise(command, rest)
    ? rest
    : { ...rest, units: unitsOfTable(ConsumedCapacity) }
  const { Items, Responses } = plain
  if (isBounded(command)) delete plain['LastEvaluatedKey']
  if (returnsParts(command)) delete plain['Attributes']
  if (command.operation === 'Scan' && Array.isArray(Items)) return { ...plain, Items: sorted(Items) }
  if (command.operation === 'BatchGetItem' && typeof Responses === 'object' && Responses !== null) {
    const responses = Object.entries(Responses).map(([name, items]) => [name, sorted(items as unknown[])])
    return { ...plain, Responses: Object.fromEntries(responses) }
  }
  return plain
}
