import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'

export const TableName = 'kept'

/** The table that the writers share; its index holds the same rows by another key. */
export const plan = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK', 'G'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byG',
      KeySchema: [{ AttributeName: 'G', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
} as const

/** The rows of one writer: their `n` by sort key. */
export type Rows = Readonly<Record<string, number>>

/** Owns a partition and moves it from state to state, one write at a time. */
export interface Writer {
  partition: string
  /** The state after so many writes. */
  after(writes: number): Rows
  /** Makes the n-th write, counted from 1. */
  write(client: DynamoDBClient, n: number): Promise<unknown>
}

/** How many partitions the index has. */
const groups = 5

const rowOf = (PK: string, SK: string, n: number): Record<string, AttributeValue> => ({
  PK: { S: PK },
  SK: { S: SK },
  n: { N: String(n) },
  G: { S: `group ${n % groups}` },
  padding: { S: 'x'.repeat(n % 2_000) },
})

export const indexKeys = Array.from({ length: groups }, (_, n) => `group ${n}`)

/** Replaces one row, and deletes it each fourth time. */
const replacing = (partition: string): Writer => ({
  partition,
  after: (writes) => (writes % 4 === 0 ? {} : { row: writes }),
  write: (client, n) =>
    n % 4 === 0
      ? client.send(new DeleteItemCommand({ TableName, Key: { PK: { S: partition }, SK: { S: 'row' } } }))
      : client.send(new PutItemCommand({ TableName, Item: rowOf(partition, 'row', n) })),
})

/** Counts in one row. */
const counting = (partition: string): Writer => ({
  partition,
  after: (writes) => (writes === 0 ? {} : { count: writes }),
  write: (client) =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: { PK: { S: partition }, SK: { S: 'count' } },
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    ),
})

const together = Array.from({ length: 60 }, (_, n) => `row ${n}`)

/** Replaces many rows and counts, all in one transaction. */
const transacting = (partition: string): Writer => ({
  partition,
  after: (writes) => (writes === 0 ? {} : Object.fromEntries([...together, 'count'].map((name) => [name, writes]))),
  write: (client, n) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          ...together.map((name) => ({ Put: { TableName, Item: rowOf(partition, name, n) } })),
          {
            Update: {
              TableName,
              Key: { PK: { S: partition }, SK: { S: 'count' } },
              UpdateExpression: 'ADD n :one',
              ExpressionAttributeValues: { ':one': { N: '1' } },
            },
          },
        ],
      }),
    ),
})

export const writers: readonly Writer[] = [replacing, counting, transacting].flatMap((make) =>
  [0, 1].map((n) => make(`${make.name} ${n}`)),
)
