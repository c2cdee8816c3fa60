import { beforeEach, describe, expect, test } from 'vitest'
import { constraint, type Input, refused, useEngine } from './engine.ts'

const send = useEngine()
const TableName = 'plain'
const write = (...TransactItems: Input[]) => send('TransactWriteItems', { TransactItems })
const put = (Item: Input, more: Input = {}) => ({ Put: { TableName, Item, ...more } })

/** Why each action of a cancelled transaction failed; undefined for those that did not. */
const cancelled = (...reasons: ({ Code: string; Message: string } | undefined)[]) => ({
  ...refused(
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map((reason) => reason?.Code ?? 'None').join(', ')}]`,
    'TransactionCanceledException',
  ),
  reasons: reasons.map((reason) => reason ?? { Code: 'None' }),
})
const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }
const invalid = (Message: string) => ({ Code: 'ValidationError', Message })
const parameter = (message: string) => `One or more parameter values were invalid: ${message}`
const absent = { ConditionExpression: 'attribute_not_exists(pk)' }

const there = { pk: { S: 'there' }, a: { S: 'old' } }
beforeEach(() => send('PutItem', { TableName, Item: there }))

test('reports for each action whether it failed, in order', async () => {
  const lone = { pk: { S: 'lone' } }
  expect(await write(put(there, absent), put({ ...there, pk: { S: 'other' } }, absent))).toEqual(
    cancelled(failed, undefined),
  )
  expect(await write(put(lone, absent), put(there, absent))).toEqual(cancelled(undefined, failed))
  expect(await send('GetItem', { TableName, Key: lone })).toEqual({ status: 200 })
})

test('returns the item of a failed condition on request', async () => {
  const { reasons } = await write(put(there, { ...absent, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }))
  expect(reasons).toEqual([{ ...failed, Item: there }])
})

describe('rejects the whole request', () => {
  const one = (value: string, path: string, rule: string) =>
    refused(`1 validation error detected: ${constraint(value, path, rule)}`)
  const many = Array.from({ length: 101 }, (_, at) => ({ pk: { S: `k${at}` } }))
  const atMost = 'Member must have length less than or equal to 100'
  const least = 'Member must have length greater than or equal to 1'
  const noTable = refused('Requested resource not found', 'ResourceNotFoundException')
  const twice = refused('Transaction request cannot include multiple operations on one item')

  test('without an action, or with more than a hundred', async () => {
    expect(await write()).toEqual(one("'[]'", 'transactItems', least))
    expect(await write(...many.map((Item) => put(Item)))).toEqual(one("'[101 members]'", 'transactItems', atMost))
  })

  test('with two actions on one item', async () => {
    expect(await write(put(there), put(there))).toEqual(twice)
  })

  test('with an action that does nothing or two things', async () => {
    expect(await write({})).toEqual(
      refused('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request'),
    )
    expect(await write({ ...put(there), Delete: { TableName, Key: { pk: there.pk } } })).toEqual(
      refused('TransactItems can only contain one of Check, Put, Update or Delete'),
    )
  })

  test('for a table that does not exist or has an invalid name', async () => {
    expect(await write(put(there, { TableName: 'none' }))).toEqual(noTable)
    expect(await write(put({ pk: { S: 'a' } }), put(there, { TableName: 'a!' }))).toEqual(
      one(
        "'a!'",
        'transactItems.2.member.put.tableName',
        'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
      ),
    )
  })

  test.each([
    ['', 'Invalid ConditionExpression: The expression can not be empty;'],
    ['attribute_exists(', 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("'],
  ])('for the condition "%s"', async (ConditionExpression, message) => {
    expect(await write(put(there, { ConditionExpression }))).toEqual(refused(message))
  })

  test('for a value that no expression uses', async () => {
    const values = { ...absent, ExpressionAttributeValues: { ':v': { S: 'x' } } }
    expect(await write(put({ pk: { S: 'a' } }), put(there, values))).toEqual(
      refused('Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}'),
    )
  })
})

// Recorded later than the rest (transactWriteItems.test.ts, transactIndexKeys.test.ts and itemSizeBySurface.test.ts there).
describe('a value of a key', () => {
  const update = (key: Input) => ({
    Update: {
      TableName,
      Key: { pk: key },
      UpdateExpression: 'SET a = :v',
      ExpressionAttributeValues: { ':v': { S: 'x' } },
    },
  })
  const deletion = (key: Input) => ({ Delete: { TableName, Key: { pk: key } } })
  const check = (key: Input) => ({ ConditionCheck: { TableName, Key: { pk: key }, ...absent } })

  const emptyKey = 'The AttributeValue for a key attribute cannot contain an empty string value'
  const notValid = (message: string) => refused(`One or more parameter values are not valid. ${message}`)
  const mismatch = invalid('The provided key element does not match the schema')

  test.each([
    ['a put', (key: Input) => put({ pk: key }), invalid(parameter('Type mismatch for key pk expected: S actual: N'))],
    ['an update', update, mismatch],
    ['a deletion', deletion, mismatch],
    ['a check', check, mismatch],
  ])('of another type cancels %s, an empty one rejects it', async (_, action, reason) => {
    expect(await write(put({ pk: { S: 'a' } }), action({ N: '1' }))).toEqual(cancelled(undefined, reason))
    expect(await write(put({ pk: { S: 'a' } }), action({ S: '' }))).toEqual(notValid(`${emptyKey}. Key: pk`))
  })

  const Key = { pk: { S: 'a' }, sk: { S: 'a' } }
  const indexed = (key: Input) => [
    { Put: { TableName: 'paired', Item: { ...Key, g: key } } },
    {
      Update: {
        TableName: 'paired',
        Key,
        UpdateExpression: 'SET g = :v',
        ExpressionAttributeValues: { ':v': key },
      },
    },
  ]

  test('of an index does the same', async () => {
    const wrong = invalid(parameter('Type mismatch for Index Key g Expected: S Actual: N IndexName: all'))
    for (const action of indexed({ N: '1' })) expect(await write(action)).toEqual(cancelled(wrong))
    const empty = `A value specified for a secondary index key is not supported. ${emptyKey}. IndexName: all, IndexKey: g`
    for (const action of indexed({ S: '' })) expect(await write(action)).toEqual(notValid(empty))
  })

  test('of an item that is too large rejects a put and cancels an update', async () => {
    const large = { S: 'x'.repeat(410_000) }
    expect(await write(put({ ...there, large }))).toEqual(refused('Item size has exceeded the maximum allowed size'))
    const grow = update(there.pk)
    grow.Update.ExpressionAttributeValues = { ':v': large }
    expect(await write(grow)).toEqual(cancelled(invalid('Item size to update has exceeded the maximum allowed size')))
  })
})

test('a token returns the same result for the same request and rejects another', async () => {
  const TransactItems = [
    {
      Update: {
        TableName,
        Key: { pk: { S: 'counted' } },
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    },
  ]
  const ClientRequestToken = 'a token of this test'
  for (let time = 0; time < 3; time += 1) {
    expect(await send('TransactWriteItems', { TransactItems, ClientRequestToken })).toEqual({ status: 200 })
  }
  const { Item } = await send('GetItem', { TableName, Key: { pk: { S: 'counted' } } })
  expect(Item).toMatchObject({ n: { N: '1' } })
  const { name } = await send('TransactWriteItems', { TransactItems: [put(there)], ClientRequestToken })
  expect(name).toBe('IdempotentParameterMismatchException')
})
