import { setImmediate as turn } from 'node:timers/promises'
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { key, open, TableName } from './open.ts'

/** A table whose transactions wait until the test lets them go on. */
const openPausedTable = async () => {
  let begun = Promise.withResolvers<void>()
  let end = Promise.withResolvers<void>()
  const hold = () => {
    begun.resolve()
    return end.promise
  }
  const table = await open({ conflicts: { hold } })
  /** Starts a transaction; returns a function that resumes it, once it holds its items. */
  const begin = async (TransactItems: TransactWriteItemsCommandInput['TransactItems'], token?: string) => {
    begun = Promise.withResolvers()
    end = Promise.withResolvers()
    const { resolve } = end
    const input = { TransactItems, ...(token ? { ClientRequestToken: token } : {}) }
    const sent = table.client.send(new TransactWriteItemsCommand(input))
    await begun.promise
    return () => {
      resolve()
      return sent
    }
  }
  return { ...table, begin }
}

const version = (Key: ReturnType<typeof key>, v: number) => ({ ...Key, v: { N: `${v}` } })
const add = (Key: ReturnType<typeof key>, v: number) => ({ Put: { TableName, Item: version(Key, v) } })
const check = { TableName, Key: key('free'), ConditionExpression: 'attribute_exists(PK)' }

const read = async (client: DynamoDBClient, Key: ReturnType<typeof key>) =>
  (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item?.['v']?.N

test('rejects a write to an item in an active transaction with TransactionConflictException', async () => {
  const { client, begin } = await openPausedTable()
  const finish = await begin([
    add(key('p'), 1),
    { ConditionCheck: { ...check, Key: key('q'), ConditionExpression: 'attribute_not_exists(PK)' } },
  ])
  const refused = { name: 'TransactionConflictException', message: 'Transaction is ongoing for the item' }
  const writes = [key('p'), key('q')].flatMap((Key) => [
    client.send(new PutItemCommand({ TableName, Item: version(Key, 2) })),
    client.send(new DeleteItemCommand({ TableName, Key })),
    client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression: 'REMOVE v' })),
  ])
  for (const outcome of await Promise.allSettled(writes)) expect(outcome).toMatchObject({ reason: refused })
  await client.send(new PutItemCommand({ TableName, Item: version(key('free'), 2) }))
  await finish()
  expect(await read(client, key('p'))).toBe('1')
  await client.send(new PutItemCommand({ TableName, Item: version(key('p'), 3) }))
  expect(await read(client, key('p'))).toBe('3')
})

test('a transaction that conflicts on an item is cancelled with one reason per action', async () => {
  const { client, begin } = await openPausedTable()
  const finish = await begin([add(key('p'), 1)])
  const met = [add(key('other'), 1), add(key('p'), 2), { ConditionCheck: check }]
  await expect(client.send(new TransactWriteItemsCommand({ TransactItems: met }))).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    message: expect.stringContaining('[None, TransactionConflict, ConditionalCheckFailed]'),
    CancellationReasons: [
      { Code: 'None' },
      { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
      { Code: 'ConditionalCheckFailed' },
    ],
  })
  await finish()
  expect(await read(client, key('other'))).toBeUndefined()
  expect(await read(client, key('p'))).toBe('1')
})

test('reads show the previous state of the item; a batch leaves it unprocessed', async () => {
  const { client, begin } = await openPausedTable()
  await client.send(new PutItemCommand({ TableName, Item: version(key('p'), 1) }))
  const finish = await begin([add(key('p'), 2)])
  expect(await read(client, key('p'))).toBe('1')
  const query = { KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } }
  const { Items } = await client.send(new QueryCommand({ TableName, ConsistentRead: true, ...query }))
  expect(Items).toEqual([version(key('p'), 1)])
  const requests = [{ PutRequest: { Item: version(key('p'), 3) } }, { PutRequest: { Item: version(key('free'), 3) } }]
  const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }))
  expect(UnprocessedItems).toEqual({ [TableName]: [requests[0]] })
  await finish()
  expect([await read(client, key('p')), await read(client, key('free'))]).toEqual(['2', '3'])
})

test('a token in flight is rejected as in progress; afterwards it returns the same result and does nothing', async () => {
  const { client, begin } = await openPausedTable()
  const TransactItems = [add(key('p'), 1)]
  const finish = await begin(TransactItems, 'token')
  const again = (items = TransactItems) =>
    client.send(new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken: 'token' }))
  await expect(again()).rejects.toMatchObject({ name: 'TransactionInProgressException' })
  await expect(again([add(key('p'), 2)])).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' })
  await finish()
  await client.send(new PutItemCommand({ TableName, Item: version(key('p'), 3) }))
  await again()
  expect(await read(client, key('p'))).toBe('3')
})

test('a token whose transaction was canceled can be retried', async () => {
  const { client, begin } = await openPausedTable()
  const finish = await begin([add(key('free'), 1)])
  const input = { TransactItems: [add(key('p'), 1), { ConditionCheck: check }], ClientRequestToken: 'token' }
  await expect(client.send(new TransactWriteItemsCommand(input))).rejects.toMatchObject({
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  })
  await finish()
  await client.send(new TransactWriteItemsCommand(input))
  expect(await read(client, key('p'))).toBe('1')
})

const names = ['a', 'b', 'c', 'd']
const item = fc.constantFrom(...names)
const work = fc.oneof(
  fc.record({ single: item }),
  fc.record({ together: fc.uniqueArray(item, { minLength: 1, maxLength: 4 }) }),
)

test('with any interleaving, each item counts its successful writes, and every rejection names its conflict', async () => {
  let conflicts = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(work, fc.nat(8)), { minLength: 5, maxLength: 20 }), async (works) => {
      const hold = async () => {
        for (let turns = 0; turns < 10; turns += 1) await turn()
      }
      const { client, close } = await open({ conflicts: { hold } })
      const counts = new Map(names.map((name) => [name, 0]))
      const count = (of: readonly string[]) => {
        for (const name of of) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      const update = (name: string) => ({
        TableName,
        Key: key(name),
        UpdateExpression: 'ADD v :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      })
      const perform = async ([step, pauses]: (typeof works)[number]) => {
        for (let turns = 0; turns < pauses; turns += 1) await turn()
        const of = 'single' in step ? [step.single] : step.together
        try {
          if ('single' in step) await client.send(new UpdateItemCommand(update(step.single)))
          else
            await client.send(
              new TransactWriteItemsCommand({ TransactItems: of.map((name) => ({ Update: update(name) })) }),
            )
          count(of)
        } catch (error) {
          conflicts += 1
          const { name, CancellationReasons } = error as { name: string; CancellationReasons?: { Code: string }[] }
          if ('single' in step) return expect(name).toBe('TransactionConflictException')
          expect(CancellationReasons).toHaveLength(of.length)
          const codes = new Set(CancellationReasons?.map(({ Code }) => Code))
          expect(codes).toContain('TransactionConflict')
          expect(codes.size - Number(codes.has('None'))).toBe(1)
        }
      }
      await Promise.all(works.map(perform))
      for (const [name, times] of counts) expect(Number((await read(client, key(name))) ?? 0), name).toBe(times)
      await close()
    }),
    { numRuns: 30 },
  )
  expect(conflicts).toBeGreaterThan(0)
})
