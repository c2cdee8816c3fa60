import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import {
  capacity,
  condition,
  conditional,
  keyCondition,
  onFailure,
  placeholders,
  simple,
  update,
} from './expressions.ts'
import { item, key, number, SK } from './values.ts'

export const tableName = 'oracle'

/** The table that both engines get: one index of all attributes, one of some. */
export const plan = {
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'S' },
    { AttributeName: 'g', AttributeType: 'S' },
    { AttributeName: 'n', AttributeType: 'N' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-n',
      KeySchema: [
        { AttributeName: 'g', KeyType: 'HASH' },
        { AttributeName: 'n', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'by-sk',
      KeySchema: [
        { AttributeName: 'g', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a'] },
    },
  ],
} as const

const puts = fc
  .tuple(item, fc.option(condition), onFailure, fc.constantFrom('NONE', 'ALL_OLD'))
  .map(([Item, when, failure, ReturnValues]) => ({
    Item,
    ...conditional(when),
    ...failure,
    ...placeholders(when),
    ReturnValues,
  }))
const deletes = fc
  .tuple(key, fc.option(condition), onFailure, fc.constantFrom('NONE', 'ALL_OLD'))
  .map(([Key, when, failure, ReturnValues]) => ({
    Key,
    ...conditional(when),
    ...failure,
    ...placeholders(when),
    ReturnValues,
  }))
const updates = fc
  .tuple(
    key,
    update,
    fc.option(condition),
    onFailure,
    fc.constantFrom('NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'),
  )
  .map(([Key, change, when, failure, ReturnValues]) => ({
    ...{ Key, UpdateExpression: change.text, ...conditional(when), ...failure },
    ...{ ...placeholders(change, when), ReturnValues },
  }))
const queries = fc
  .tuple(
    fc.oneof(
      keyCondition(
        'PK',
        'SK',
        SK.map((S) => ({ S })),
      ).map((when) => [undefined, when] as const),
      keyCondition(
        'g',
        'n',
        number.map((N) => ({ N })),
      ).map((when) => ['by-n', when] as const),
      keyCondition(
        'g',
        'SK',
        SK.map((S) => ({ S })),
      ).map((when) => ['by-sk', when] as const),
    ),
    fc.option(simple),
    fc.option(fc.integer({ min: 1, max: 4 })),
    fc.boolean(),
    fc.constantFrom(undefined, 'COUNT'),
  )
  .map(([[IndexName, when], filter, Limit, ScanIndexForward, Select]) => ({
    ...(IndexName ? { IndexName } : {}),
    KeyConditionExpression: when.text,
    ...(filter ? { FilterExpression: filter.text } : {}),
    ...placeholders(when, filter),
    ...(Limit ? { Limit } : {}),
    ScanIndexForward,
    ...(Select ? { Select } : {}),
  }))

const inTransaction = fc.oneof(
  puts.map(({ ReturnValues: _, ...Put }) => ({ Put: { TableName: tableName, ...Put } })),
  updates.map(({ ReturnValues: _, ...Update }) => ({ Update: { TableName: tableName, ...Update } })),
  deletes.map(({ ReturnValues: _, ...Delete }) => ({ Delete: { TableName: tableName, ...Delete } })),
  fc.tuple(key, condition, onFailure).map(([Key, when, failure]) => ({
    ConditionCheck: { TableName: tableName, Key, ConditionExpression: when.text, ...failure, ...placeholders(when) },
  })),
)

/** A transaction touches an item once: where it does not, DynamoDB Local looks at conditions before it says so. */
const placeOf = (action: object): string => {
  const [{ Item, Key }] = Object.values(action)
  return JSON.stringify([Item?.PK ?? Key.PK, Item?.SK ?? Key.SK])
}

/** An operation by its name and its input; both engines get the same. */
export interface Command {
  operation: keyof typeof senders
  input: Record<string, unknown>
}

/* Inputs are made wrong on purpose, so their types are not those of the SDK. */
const senders = {
  PutItem: (input: never) => new PutItemCommand(input),
  DeleteItem: (input: never) => new DeleteItemCommand(input),
  UpdateItem: (input: never) => new UpdateItemCommand(input),
  GetItem: (input: never) => new GetItemCommand(input),
  Query: (input: never) => new QueryCommand(input),
  Scan: (input: never) => new ScanCommand(input),
  BatchGetItem: (input: never) => new BatchGetItemCommand(input),
  BatchWriteItem: (input: never) => new BatchWriteItemCommand(input),
  TransactWriteItems: (input: never) => new TransactWriteItemsCommand(input),
  TransactGetItems: (input: never) => new TransactGetItemsCommand(input),
}

const of = (operation: Command['operation'], input: fc.Arbitrary<object>): fc.Arbitrary<Command> =>
  input.map((given) => ({ operation, input: { ...given } }))

const onTable = (given: object) => ({ TableName: tableName, ...capacity, ...given })

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: of('PutItem', puts.map(onTable)) },
  { weight: 2, arbitrary: of('DeleteItem', deletes.map(onTable)) },
  { weight: 6, arbitrary: of('UpdateItem', updates.map(onTable)) },
  {
    weight: 1,
    arbitrary: of(
      'GetItem',
      key.map((Key) => onTable({ Key, ConsistentRead: true })),
    ),
  },
  { weight: 4, arbitrary: of('Query', queries.map(onTable)) },
  {
    weight: 1,
    arbitrary: of(
      'Scan',
      fc
        .option(simple)
        .map((filter) => onTable(filter ? { FilterExpression: filter.text, ...placeholders(filter) } : {})),
    ),
  },
  {
    weight: 1,
    arbitrary: of(
      'BatchGetItem',
      fc
        .array(key, { minLength: 1, maxLength: 4 })
        .map((Keys) => ({ ...capacity, RequestItems: { [tableName]: { Keys, ConsistentRead: true } } })),
    ),
  },
  {
    weight: 1,
    arbitrary: of(
      'BatchWriteItem',
      fc
        .array(
          fc.oneof(
            item.map((Item) => ({ PutRequest: { Item } })),
            key.map((Key) => ({ DeleteRequest: { Key } })),
          ),
          {
            minLength: 1,
            maxLength: 4,
          },
        )
        .map((requests) => ({ ...capacity, RequestItems: { [tableName]: requests } })),
    ),
  },
  {
    weight: 3,
    arbitrary: of(
      'TransactWriteItems',
      fc
        .uniqueArray(inTransaction, { minLength: 1, maxLength: 4, selector: placeOf })
        .map((TransactItems) => ({ ...capacity, TransactItems })),
    ),
  },
  {
    weight: 1,
    arbitrary: of(
      'TransactGetItems',
      fc
        .array(key, { minLength: 1, maxLength: 3 })
        .map((keys) => ({ ...capacity, TransactItems: keys.map((Key) => ({ Get: { TableName: tableName, Key } })) })),
    ),
  },
)

/** Sends a command; an answer without its metadata, or the exception with what its kind tells. */
export const send = async (client: DynamoDBClient, { operation, input }: Command): Promise<unknown> => {
  try {
    const { $metadata: _, ...answer } = (await client.send(senders[operation](input as never) as never)) as {
      $metadata: unknown
    }
    return answer
  } catch (error) {
    const { name, CancellationReasons, Item } = error as {
      name: string
      CancellationReasons?: { Code?: string; Item?: unknown }[]
      Item?: unknown
    }

    return { name, reasons: CancellationReasons?.map(({ Code, Item: old }) => ({ Code, Item: old })), Item }
  }
}
