import * as z from 'zod/mini'
import { accountId, region } from '../../template/account.ts'
import type { Access } from '../access.ts'
import { type GuardedService, mapped, operationOf, refuseAsJson } from '../guard.ts'

type Row = Readonly<Record<string, Readonly<Record<string, unknown>>>>
/** Only its key is looked at here: the engine checks the rest. */
const Row = z.custom<Row>((value) => typeof value === 'object' && value !== null)
const OnKey = z.object({ TableName: z.string(), Key: Row })
const OnItem = z.object({ TableName: z.string(), Item: Row })
const OnTable = z.object({ TableName: z.string() })
const OnIndex = z.object({
  TableName: z.string(),
  IndexName: z.optional(z.string()),
  KeyConditionExpression: z.optional(z.string()),
  ExpressionAttributeNames: z._default(z.record(z.string(), z.string()), {}),
  ExpressionAttributeValues: z._default(Row, {}),
})
const Reads = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Row) })) })
const Writes = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.object({
        PutRequest: z.optional(z.object({ Item: Row })),
        DeleteRequest: z.optional(z.object({ Key: Row })),
      }),
    ),
  ),
})
const Transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: z.optional(OnItem),
      Update: z.optional(OnKey),
      Delete: z.optional(OnKey),
      ConditionCheck: z.optional(OnKey),
    }),
  ),
})

/** One action on a table or an index, and the rows that it names. */
interface Act {
  action: string
  target: string
  rows: readonly Row[]
}

type Acts = (input: unknown) => Act[]

const onKey =
  (action: string): Acts =>
  (input) => {
    const { TableName, Key } = z.parse(OnKey, input)
    return [{ action, target: TableName, rows: [Key] }]
  }

const onTable =
  (action: string): Acts =>
  (input) => [{ action, target: z.parse(OnTable, input).TableName, rows: [] }]

/** The equalities of a key condition, as a row. */
const rowOf = ({ KeyConditionExpression = '', ...marks }: z.infer<typeof OnIndex>): Row => {
  const equalities = [...KeyConditionExpression.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)]
  return Object.fromEntries(
    equalities.flatMap(([, name = '', value = '']) => {
      const attribute = marks.ExpressionAttributeValues[value]
      return attribute === undefined ? [] : [[marks.ExpressionAttributeNames[name] ?? name, attribute]]
    }),
  )
}

const onIndex =
  (action: string): Acts =>
  (input) => {
    const read = z.parse(OnIndex, input)
    const { TableName, IndexName } = read
    return [{ action, target: IndexName ? `${TableName}/index/${IndexName}` : TableName, rows: [rowOf(read)] }]
  }

const transactionActions = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
} as const

/** A transaction requires the rights of its operations (developer guide, "Using IAM with DynamoDB transactions"). */
const transaction: Acts = (input) =>
  z.parse(Transaction, input).TransactItems.flatMap((item) =>
    (Object.keys(transactionActions) as (keyof typeof transactionActions)[]).flatMap((kind) => {
      const part = item[kind]
      if (part === undefined) return []
      return [
        { action: transactionActions[kind], target: part.TableName, rows: ['Item' in part ? part.Item : part.Key] },
      ]
    }),
  )

const operations: Readonly<Record<string, Acts>> = {
  CreateTable: onTable('CreateTable'),
  DescribeTable: onTable('DescribeTable'),
  DeleteTable: onTable('DeleteTable'),
  UpdateTimeToLive: onTable('UpdateTimeToLive'),
  PutItem(input) {
    const { TableName, Item } = z.parse(OnItem, input)
    return [{ action: 'PutItem', target: TableName, rows: [Item] }]
  },
  GetItem: onKey('GetItem'),
  UpdateItem: onKey('UpdateItem'),
  DeleteItem: onKey('DeleteItem'),
  Query: onIndex('Query'),
  Scan: onIndex('Scan'),
  BatchGetItem: (input) =>
    Object.entries(z.parse(Reads, input).RequestItems).map(([target, { Keys }]) => ({
      action: 'BatchGetItem',
      target,
      rows: Keys,
    })),
  BatchWriteItem: (input) =>
    Object.entries(z.parse(Writes, input).RequestItems).map(([target, writes]) => ({
      action: 'BatchWriteItem',
      target,
      rows: writes.map(({ PutRequest, DeleteRequest }): Row => PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
    })),
  TransactWriteItems: transaction,
}

/**
 * What DynamoDB asks IAM for. `dynamodb:LeadingKeys` has the partition keys of the whole request in each of its checks, as
 * the strictest reading of "all item attributes in the request" has it.
 */
export const dynamodbAccess = (partitionKeys: ReadonlyMap<string, string>): GuardedService => ({
  accessesOf(request) {
    const acts = mapped(operations, 'DynamoDB', operationOf(request))(request.body)
    const leading = acts.flatMap(({ target, rows }) =>
      rows.flatMap((row) => Object.values(row[partitionKeys.get(target) ?? ''] ?? {}).map(String)),
    )
    const context = { 'dynamodb:leadingkeys': [...new Set(leading)] }
    const unique = new Map<string, Access>()
    for (const { action, target } of acts) {
      const resource = `arn:aws:dynamodb:${region}:${accountId}:table/${target}`
      unique.set(`${action} ${target}`, { action: `dynamodb:${action}`, resource, context })
    }
    return [...unique.values()]
  },
  refuse: refuseAsJson(400),
})
