import { describe, expect, test } from 'vitest'
import { type Input, useEngine } from './engine.ts'

// Recorded later than the rest (indexConsumedCapacity.test.ts and consumedCapacity.test.ts there, 2026-08-12).
const send = useEngine()
const TableName = 'paired'
const sized = { TableName, ReturnConsumedCapacity: 'INDEXES' }

let made = 0
/** A separate key for each test: a write without changes costs an index nothing. */
const freshKey = () => {
  made += 1
  return { pk: { S: `item ${made}` }, sk: { S: 'a' } }
}

/** The units of an answer as `[total, table, by index]`. */
const unitsIn = (answer: Input) => {
  const { CapacityUnits, Table, GlobalSecondaryIndexes } = [answer['ConsumedCapacity']].flat()[0] as {
    CapacityUnits: number
    Table: { CapacityUnits: number }
    GlobalSecondaryIndexes?: Record<string, { CapacityUnits: number }>
  }
  const indexes = Object.entries(GlobalSecondaryIndexes ?? {}).map(([name, units]) => [name, units.CapacityUnits])
  return [CapacityUnits, Table.CapacityUnits, Object.fromEntries(indexes)]
}

const put = (Item: Input) => send('PutItem', { ...sized, Item })

describe('a write of an item', () => {
  const indexed = () => ({ ...freshKey(), g: { S: 'g' }, r: { S: 'r' }, held: { S: 'h' }, spare: { S: 'o' } })

  test('consumes capacity of each index that contains it', async () => {
    expect(unitsIn(await put(indexed()))).toEqual([4, 1, { all: 1, some: 1, keys: 1 }])
    expect(unitsIn(await put({ ...freshKey(), g: { S: 'g' } }))).toEqual([2, 1, { all: 1 }])
    expect(unitsIn(await put({ ...freshKey(), spare: { S: 'o' } }))).toEqual([1, 1, {}])
  })

  test('consumes none of an index that does not change', async () => {
    const item = indexed()
    await put(item)
    expect(unitsIn(await put(item))).toEqual([1, 1, {}])
  })

  test.each([
    ['an attribute that one index holds', 'SET spare = :v', [2, 1, { all: 1 }]],
    ['an attribute that two hold', 'SET held = :v', [3, 1, { all: 1, some: 1 }]],
    [
      'the key of all, which is a deletion and an insertion in each',
      'SET g = :v',
      [7, 1, { all: 2, some: 2, keys: 2 }],
    ],
    ['no key of one, and that of two', 'SET r = :v', [6, 1, { all: 1, some: 2, keys: 2 }]],
    ['the key of all, away', 'REMOVE g', [4, 1, { all: 1, some: 1, keys: 1 }]],
  ])('changes %s', async (_, UpdateExpression, expected) => {
    const { pk, sk, ...rest } = indexed()
    await put({ pk, sk, ...rest })
    const values = UpdateExpression.includes(':v') ? { ExpressionAttributeValues: { ':v': { S: 'new' } } } : {}
    expect(unitsIn(await send('UpdateItem', { ...sized, Key: { pk, sk }, UpdateExpression, ...values }))).toEqual(
      expected,
    )
  })

  test('consumes capacity of each index that contained it when deleted', async () => {
    const { pk, sk, ...rest } = indexed()
    await put({ pk, sk, ...rest })
    expect(unitsIn(await send('DeleteItem', { ...sized, Key: { pk, sk } }))).toEqual([
      4,
      1,
      { all: 1, some: 1, keys: 1 },
    ])
    const bare = freshKey()
    await put(bare)
    expect(unitsIn(await send('DeleteItem', { ...sized, Key: bare }))).toEqual([1, 1, {}])
  })

  test('consumes the same in a batch', async () => {
    const RequestItems = {
      [TableName]: [{ ...freshKey(), g: { S: 'g' } }, freshKey()].map((Item) => ({ PutRequest: { Item } })),
    }
    const answer = await send('BatchWriteItem', { RequestItems, ReturnConsumedCapacity: 'INDEXES' })
    expect(unitsIn(answer)).toEqual([3, 2, { all: 1 }])
  })

  // Captured on AWS in eu-west-2 (github.com/nubo-db/dynoxide at 9366d25, src/actions/index_capacity.rs, A1 and B7).
  test('consumes twice the capacity of the table in a transaction, and that of indexes once', async () => {
    const { pk, sk, ...rest } = { ...indexed(), held: { S: 'x'.repeat(1_500) } }
    const Put = { TableName, Item: { pk, sk, ...rest } }
    const transact = (action: Input) =>
      send('TransactWriteItems', { TransactItems: [action], ReturnConsumedCapacity: 'INDEXES' })
    expect(unitsIn(await transact({ Put }))).toEqual([9, 4, { all: 2, some: 2, keys: 1 }])
    const Key = { pk, sk }
    const move = { UpdateExpression: 'SET g = :v', ExpressionAttributeValues: { ':v': { S: 'new' } } }
    expect(unitsIn(await transact({ Update: { TableName, Key, ...move } }))).toEqual([
      14,
      4,
      { all: 4, some: 4, keys: 2 },
    ])
    const ConditionCheck = { TableName, Key, ConditionExpression: 'attribute_exists(pk)' }
    expect(unitsIn(await transact({ ConditionCheck }))).toEqual([4, 4, {}])
  })
})

test('a query consumes what it reads before filter and projection', async () => {
  const filler = { S: 'x'.repeat(2_000) }
  for (const sk of ['a', 'b', 'c', 'd']) {
    await send('PutItem', { TableName, Item: { pk: { S: 'read' }, sk: { S: sk }, filler } })
  }
  const units = async (more: Input, values: Input = {}) => {
    const input = {
      TableName,
      KeyConditionExpression: 'pk = :p',
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
      ExpressionAttributeValues: { ':p': { S: 'read' }, ...values },
    }
    return (await send('Query', { ...input, ...more }))['ConsumedCapacity']
  }
  const whole = { TableName, CapacityUnits: 2 }
  expect(await units({})).toEqual(whole)
  expect(await units({ FilterExpression: 'filler = :f' }, { ':f': { S: 'other' } })).toEqual(whole)
  expect(await units({ ProjectionExpression: 'sk' })).toEqual(whole)
})
