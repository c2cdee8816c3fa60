import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IndexName, key, open, TableName } from './open.ts'

const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`

/** What a refusal says, by the SDK's own exception. */
const refused = (reason: string, resource = arn) => ({
  name: 'ThrottlingException',
  $metadata: { httpStatusCode: 400 },
  throttlingReasons: [{ reason, resource }],
})

const put = (client: DynamoDBClient, PK: string, SK: string, more: object = {}) =>
  client.send(new PutItemCommand({ TableName, Item: { ...key(PK, SK), ...more } }))

/** Text that makes an item take so many write units. */
const filler = (units: number) => ({ text: { S: 'x'.repeat(units * 1024 - 100) } })

test('a partition serves 1,000 write units a second, independently of other partitions', async () => {
  const { client, clock } = await open({ throttling: {} })
  for (const SK of ['a', 'b', 'c', 'd']) await put(client, 'hot', SK, filler(250))
  await expect(put(client, 'hot', 'e')).rejects.toMatchObject(refused('TableWriteKeyRangeThroughputExceeded'))
  await put(client, 'cold', 'e')
  clock.pass(3)
  for (const SK of ['e', 'f', 'g']) await put(client, 'hot', SK)
  await expect(put(client, 'hot', 'h')).rejects.toMatchObject(refused('TableWriteKeyRangeThroughputExceeded'))
})

test('a partition serves 3,000 read units a second, whatever the kind of read', async () => {
  const { client, clock } = await open({ throttling: {} })
  for (const SK of ['a', 'b', 'c']) {
    await put(client, 'hot', SK, filler(300))
    clock.pass(1_000)
  }
  const query = { TableName, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'hot' } } }
  const read = () => client.send(new QueryCommand({ ...query, ConsistentRead: true }))
  // 900 KB are 225 units.
  for (let times = 0; times < 13; times += 1) await read()
  await client.send(new GetItemCommand({ TableName, Key: key('hot'), ConsistentRead: true }))
  const reason = refused('TableReadKeyRangeThroughputExceeded')
  await expect(read()).rejects.toMatchObject(reason)
  await expect(client.send(new GetItemCommand({ TableName, Key: key('hot') }))).rejects.toMatchObject(reason)
  await client.send(new GetItemCommand({ TableName, Key: key('cold') }))
  await client.send(new ScanCommand({ TableName }))
  // Writes have their own units.
  await put(client, 'hot', 'd')
  clock.pass(1_000)
  await read()
})

const few = { writeUnitsPerSecond: 10, readUnitsPerSecond: 10 }

test('an update, a delete, and a failed condition consume the same as a write', async () => {
  const { client } = await open({ throttling: few })
  await put(client, 'hot', 'a', filler(4))
  const change = { TableName, Key: key('hot'), UpdateExpression: 'SET b = :b' }
  await client.send(new UpdateItemCommand({ ...change, ExpressionAttributeValues: { ':b': { S: 'b' } } }))
  const ConditionExpression = 'attribute_not_exists(PK)'
  const conditional = new DeleteItemCommand({ TableName, Key: key('hot'), ConditionExpression })
  await expect(client.send(conditional)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
  await expect(client.send(conditional)).rejects.toMatchObject(refused('TableWriteKeyRangeThroughputExceeded'))
  await expect(put(client, 'hot', 'b')).rejects.toMatchObject(refused('TableWriteKeyRangeThroughputExceeded'))
})

test('an index with a hot partition throttles writes of its table and its own reads', async () => {
  const { client, clock } = await open({ throttling: few })
  const indexed = (g: string) => ({ g: { S: g }, n: { N: '1' } })
  for (let n = 0; n < 10; n += 1) await put(client, `p${n}`, 'a', indexed('hot'))
  const index = `${arn}/index/${IndexName}`
  await expect(put(client, 'p10', 'a', indexed('hot'))).rejects.toMatchObject(
    refused('IndexWriteKeyRangeThroughputExceeded', index),
  )
  const left = await client.send(new GetItemCommand({ TableName, Key: key('p10'), ConsistentRead: true }))
  expect(left.Item).toBeUndefined()
  await put(client, 'p10', 'a', indexed('cold'))
  await put(client, 'p10', 'b')
  const read = () =>
    client.send(
      new QueryCommand({
        TableName,
        IndexName,
        KeyConditionExpression: 'g = :g',
        ExpressionAttributeValues: { ':g': { S: 'hot' } },
      }),
    )
  for (let times = 0; times < 20; times += 1) await read()
  await expect(read()).rejects.toMatchObject(refused('IndexReadKeyRangeThroughputExceeded', index))
  clock.pass(1_000)
  expect((await read()).Count).toBe(10)
})

test('an item that moves within an index consumes its old and its new position', async () => {
  const { client } = await open({ throttling: few })
  const indexed = (g: string) => ({ g: { S: g }, n: { N: '1' } })
  for (let n = 0; n < 5; n += 1) await put(client, `p${n}`, 'a', indexed('before'))
  for (let n = 0; n < 5; n += 1) await put(client, `p${n}`, 'a', indexed('after'))
  const reason = refused('IndexWriteKeyRangeThroughputExceeded', `${arn}/index/${IndexName}`)
  await expect(put(client, 'p5', 'a', indexed('before'))).rejects.toMatchObject(reason)
  for (let n = 5; n < 10; n += 1) await put(client, `p${n}`, 'a', indexed('after'))
  await expect(put(client, 'p10', 'a', indexed('after'))).rejects.toMatchObject(reason)
})

test('a batch returns unprocessed items of a hot partition, and fails when it can process none', async () => {
  const { client, clock } = await open({ throttling: few })
  const request = (PK: string, SK: string) => ({ PutRequest: { Item: key(PK, SK) } })
  const write = (...requests: ReturnType<typeof request>[]) =>
    client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }))
  await put(client, 'hot', 'a', filler(9))
  const written = await write(request('hot', 'b'), request('hot', 'c'), request('cold', 'c'))
  expect(written.UnprocessedItems).toEqual({ [TableName]: [request('hot', 'c')] })
  await expect(write(request('hot', 'c'))).rejects.toMatchObject(refused('TableWriteKeyRangeThroughputExceeded'))
  clock.pass(1_000)
  expect((await write(request('hot', 'c'))).UnprocessedItems).toEqual({})
  const read = (...Keys: ReturnType<typeof key>[]) =>
    client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }))
  for (let times = 0; times < 3; times += 1) await read(key('hot', 'a'))
  const got = await read(key('hot', 'b'), key('hot', 'c'), key('cold', 'c'))
  expect(got.Responses?.[TableName]).toEqual([key('hot', 'b'), key('cold', 'c')])
  expect(got.UnprocessedKeys).toEqual({ [TableName]: { Keys: [key('hot', 'c')], ConsistentRead: true } })
  await expect(read(key('hot', 'b'))).rejects.toMatchObject(refused('TableReadKeyRangeThroughputExceeded'))
})

test('a transaction is cancelled with ThrottlingError for each item of a hot partition', async () => {
  const { client, clock } = await open({ throttling: few })
  const TransactItems = ['hot', 'cold'].map((PK) => ({ Put: { TableName, Item: key(PK, 'b') } }))
  // Two units for each write of a transaction.
  for (let times = 0; times < 5; times += 1) await client.send(new TransactWriteItemsCommand({ TransactItems }))
  clock.pass(100)
  await put(client, 'cold', 'a')
  const cancelled = {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError', Message: expect.stringMatching(/^Throughput/) }],
  }
  await expect(client.send(new TransactWriteItemsCommand({ TransactItems }))).rejects.toMatchObject(cancelled)
})

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ units: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ passMs: fc.constantFrom(50, 100, 300, 1_000, 3_000) }) },
)

test('a partition under constant load serves its units per second plus at most one request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const { client, clock, close } = await open({ throttling: few })
      let left = 10
      for (const [at, step] of steps.entries()) {
        if ('passMs' in step) {
          clock.pass(step.passMs)
          left = Math.min(10, left + step.passMs / 100)
          continue
        }
        const taken = await put(client, 'hot', `${at}`, filler(step.units)).then(
          () => true,
          () => false,
        )
        expect(taken).toBe(left > 0)
        if (taken) left -= step.units
      }
      await close()
    }),
    { numRuns: 40 },
  )
})
