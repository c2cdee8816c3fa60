import { describe, expect, test } from 'vitest'
import { constraint, refused, useEngine } from './engine.ts'

const send = useEngine()
const Key = { pk: { S: 'a' } }
const TableName = 'plain'

const one = (value: string, path: string, rule: string) =>
  refused(`1 validation error detected: ${constraint(value, path, rule)}`)

describe('the name of a table', () => {
  const long = 'a'.repeat(256)
  test.each([
    ['absent', undefined, 'null', 'Member must not be null'],
    ['empty', '', "''", 'Member must have length greater than or equal to 1'],
    ['of 256 characters', long, `'${long}'`, 'Member must have length less than or equal to 255'],
    [
      'with other characters',
      'a table!',
      "'a table!'",
      'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
    ],
  ])('is rejected when it is %s', async (_, name, value, rule) => {
    const answer = one(value, 'tableName', rule)
    expect(await send('PutItem', { TableName: name, Item: Key })).toEqual(answer)
    expect(await send('DeleteItem', { TableName: name, Key })).toEqual(answer)
    expect(await send('UpdateItem', { TableName: name, Key })).toEqual(answer)
    expect(await send('Scan', { TableName: name })).toEqual(answer)
  })

  test('is checked before anything else', async () => {
    const rule = 'Member must have length greater than or equal to 1'
    const input = { TableName: '', Item: {}, ReturnValues: 'OTHER' }
    expect(await send('PutItem', input)).toEqual(one("''", 'tableName', rule))
  })

  test.each([
    ['PutItem', { Item: Key }],
    ['GetItem', { Key }],
    ['UpdateItem', { Key }],
    ['DeleteItem', { Key }],
    ['Scan', {}],
    ['Query', { KeyConditionExpression: 'pk = :v', ExpressionAttributeValues: { ':v': { S: 'a' } } }],
  ])('that does not exist is not found by %s', async (operation, input) => {
    const answer = refused('Requested resource not found', 'ResourceNotFoundException')
    expect(await send(operation, { TableName: 'none', ...input })).toEqual(answer)
  })
})

describe('constraints', () => {
  const modes = 'Member must satisfy enum value set: [INDEXES, TOTAL, NONE]'
  const values = 'Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]'

  test.each([
    ['DeleteItem', { Key }],
    ['UpdateItem', { Key }],
    ['PutItem', { Item: Key }],
  ])('of %s are reported together', async (operation, input) => {
    const wrong = { ReturnConsumedCapacity: 'OTHER', ReturnValues: 'OTHER', ReturnItemCollectionMetrics: 'OTHER' }
    const { message } = await send(operation, { TableName, ...input, ...wrong })
    expect(message).toMatch(/^3 validation errors detected: /)
    expect(message).toContain(constraint("'OTHER'", 'returnConsumedCapacity', modes))
    expect(message).toContain(constraint("'OTHER'", 'returnValues', values))
    expect(message).toContain(
      constraint("'OTHER'", 'returnItemCollectionMetrics', 'Member must satisfy enum value set: [SIZE, NONE]'),
    )
  })

  test('a put or a delete returns the old item or nothing', async () => {
    const answer = refused('ReturnValues can only be ALL_OLD or NONE')
    expect(await send('PutItem', { TableName, Item: Key, ReturnValues: 'ALL_NEW' })).toEqual(answer)
    expect(await send('DeleteItem', { TableName, Key, ReturnValues: 'UPDATED_OLD' })).toEqual(answer)
  })

  test('item collection metrics are those of local secondary indexes', async () => {
    for (const ReturnItemCollectionMetrics of ['SIZE', 'NONE']) {
      expect(await send('PutItem', { TableName, Item: Key, ReturnItemCollectionMetrics })).toEqual({ status: 200 })
    }
  })

  test('rejects a value of another JSON type', async () => {
    const { status, name } = await send('GetItem', { TableName, Key, ProjectionExpression: 1 })
    expect({ status, name }).toEqual({ status: 400, name: 'SerializationException' })
  })
})

describe('legacy parameters without expressions', () => {
  const Expected = { pk: { Exists: false } }
  const AttributeUpdates = { a: { Value: { S: 'x' }, Action: 'PUT' } }

  test.each([
    ['PutItem', { Item: Key, Expected, ConditionExpression: 'attribute_not_exists(pk)' }, 'Expected'],
    [
      'UpdateItem',
      { Key, AttributeUpdates, UpdateExpression: 'SET a = :v', ExpressionAttributeValues: { ':v': { S: 'x' } } },
      'AttributeUpdates',
    ],
    ['GetItem', { Key, AttributesToGet: ['a'], ProjectionExpression: 'a' }, 'AttributesToGet'],
  ])('of %s cannot be mixed with expressions', async (operation, input, old) => {
    const expression = Object.keys(input).find((name) => name.endsWith('Expression'))
    expect(await send(operation, { TableName, ...input })).toEqual(
      refused(
        `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${old}} Expression parameters: {${expression}}`,
      ),
    )
  })

  test.each([
    ['PutItem', { Item: Key, Expected }, 'Expected'],
    ['UpdateItem', { Key, AttributeUpdates }, 'AttributeUpdates'],
    ['GetItem', { Key, AttributesToGet: ['a'] }, 'AttributesToGet'],
    ['Scan', { ScanFilter: { a: { ComparisonOperator: 'NULL' } } }, 'ScanFilter'],
    [
      'Query',
      { KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } }, QueryFilter: {} },
      'KeyConditions, QueryFilter',
    ],
  ])('of %s are rejected by name', async (operation, input, names) => {
    expect(await send(operation, { TableName, ...input })).toEqual(
      refused(`The embedded table does not support: ${names}`),
    )
  })
})

test.each([
  ['ExecuteStatement', { Statement: 'SELECT * FROM plain' }],
  ['BatchExecuteStatement', { Statements: [{ Statement: 'SELECT * FROM plain' }] }],
  ['ExecuteTransaction', { TransactStatements: [{ Statement: 'SELECT * FROM plain' }] }],
  ['TagResource', { ResourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/plain', Tags: [] }],
  ['UpdateTable', { TableName, BillingMode: 'PROVISIONED' }],
])('rejects the operation %s by name', async (operation, input) => {
  expect(await send(operation, input)).toEqual(
    refused(`The embedded table has no operation ${operation}.`, 'UnknownOperationException'),
  )
})
