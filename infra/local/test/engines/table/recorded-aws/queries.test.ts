import { beforeAll, describe, expect, test } from 'vitest'
import { constraint, type Input, refused, useEngine } from './engine.ts'

const send = useEngine()
const of = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'p' } } }
const query = (input: Input) => send('Query', { TableName: 'paired', ...of, ...input })
const invalid = (message: string) => refused(`One or more parameter values were invalid: ${message}`)
const one = (value: string, path: string, rule: string) =>
  refused(`1 validation error detected: ${constraint(value, path, rule)}`)

const items = ['a', 'b', 'c'].map((sk) => ({
  pk: { S: 'p' },
  sk: { S: sk },
  g: { S: 'g' },
  r: { S: `r${sk}` },
  held: { S: 'held' },
  spare: { S: 'other' },
}))
const all = Array.from({ length: 40 }, (_, at) => ({ pk: { S: `item ${at}` } }))

beforeAll(async () => {
  for (const Item of items) await send('PutItem', { TableName: 'paired', Item })
  for (const Item of all) await send('PutItem', { TableName: 'plain', Item })
})

describe('a key condition', () => {
  const values = (of: Input) => ({ ExpressionAttributeValues: { ':p': { S: 'p' }, ...of } })
  const x = { ':v': { S: 'b' } }

  test.each([
    ['no key', 'held = :v', { ExpressionAttributeValues: x }, 'Query condition missed key schema element: pk'],
    [
      'the sort key alone',
      'sk = :v',
      { ExpressionAttributeValues: x },
      'Query condition missed key schema element: pk',
    ],
    ['another attribute', 'pk = :p AND held = :v', values(x), 'Query condition missed key schema element: sk'],
    [
      'a part of a key',
      'pk = :p AND sk.a = :v',
      values(x),
      'KeyConditionExpressions cannot have conditions on nested attributes',
    ],
    ['nothing', '', {}, 'Invalid KeyConditionExpression: The expression can not be empty;'],
    [
      'needless parentheses',
      '((pk = :p))',
      {},
      'Invalid KeyConditionExpression: The expression has redundant parentheses;',
    ],
  ])('that names %s is rejected', async (_, KeyConditionExpression, more, message) => {
    expect(await query({ KeyConditionExpression, ...more })).toEqual(refused(message))
  })

  test('is required', async () => {
    const input = { KeyConditionExpression: undefined, ExpressionAttributeValues: undefined }
    expect(await query(input)).toEqual(
      refused('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'),
    )
  })

  test.each([
    [':v <= sk', ['b', 'c']],
    [':v > sk', ['a']],
    ['(sk = :v)', ['b']],
  ])('can be %s', async (sort, expectedItems) => {
    const { Items } = await query({ KeyConditionExpression: `pk = :p AND ${sort}`, ...values(x) })
    expect((Items as typeof items).map(({ sk }) => sk.S)).toEqual(expectedItems)
  })
})

describe('a page', () => {
  test.each([
    [
      'no limit',
      { Limit: 0 },
      "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    ],
    [
      'what to select by another name',
      { Select: 'OTHER' },
      constraint(
        "'OTHER'",
        'select',
        'Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]',
      ),
    ],
    [
      'certain attributes without their names',
      { Select: 'SPECIFIC_ATTRIBUTES' },
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    ],
  ])('of a query with %s is rejected', async (_, input, message) => {
    expect(await query(input)).toEqual(refused(`1 validation error detected: ${message}`))
  })

  test('of a scan with an invalid limit or selection is rejected with another message', async () => {
    expect(await send('Scan', { TableName: 'plain', Limit: 0 })).toEqual(
      one("'0'", 'limit', 'Member must have value greater than or equal to 1'),
    )
    expect(await send('Scan', { TableName: 'plain', Select: 'SPECIFIC_ATTRIBUTES' })).toEqual(
      refused('Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'),
    )
  })

  test.each([
    ['COUNT', 'only the Count'],
    ['ALL_ATTRIBUTES', 'ALL_ATTRIBUTES'],
  ])('of %s has no projection', async (Select, what) => {
    expect(await query({ Select, ProjectionExpression: 'held' })).toEqual(
      refused(`Cannot specify the ProjectionExpression when choosing to get ${what}`),
    )
  })

  test('is counted without its items', async () => {
    expect(await query({ Select: 'COUNT', Limit: 2 })).toEqual({
      status: 200,
      Count: 2,
      ScannedCount: 2,
      LastEvaluatedKey: { pk: { S: 'p' }, sk: { S: 'b' } },
    })
  })

  test.each([
    ['of other attributes', { bad: { S: 'p' } }, 'The provided starting key is invalid'],
    [
      'of another partition',
      { pk: { S: 'q' }, sk: { S: 'a' } },
      'The provided starting key is outside query boundaries based on provided conditions',
    ],
  ])('rejects the start key %s', async (_, ExclusiveStartKey, message) => {
    expect(await query({ ExclusiveStartKey })).toEqual(refused(message))
  })

  test('of a scan rejects a start key with other attributes', async () => {
    expect(await send('Scan', { TableName: 'plain', ExclusiveStartKey: { bad: { S: 'p' } } })).toEqual(
      refused('The provided starting key is invalid: The provided key element does not match the schema'),
    )
  })

  test('rejects a start key that the condition does not select', async () => {
    const input = {
      KeyConditionExpression: 'pk = :p AND sk > :v',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':v': { S: 'b' } },
    }
    const goOn = (sk: string) => query({ ...input, ExclusiveStartKey: { pk: { S: 'p' }, sk: { S: sk } } })
    expect(await goOn('b')).toEqual(refused('The provided starting key does not match the range key predicate'))
    expect(await goOn('bb')).toMatchObject({ status: 200, Count: 1 })
  })
})

describe('an index', () => {
  const by = (IndexName: string, more: Input = {}) =>
    send('Query', {
      TableName: 'paired',
      IndexName,
      KeyConditionExpression: 'g = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
      ...more,
    })
  const without = (...names: string[]) =>
    items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name))))

  test.each([
    ['all', items],
    ['some', without('spare')],
    ['keys', without('spare', 'held')],
  ])('returns what it holds: %s', async (name, expected) => {
    for (const Select of [undefined, 'ALL_PROJECTED_ATTRIBUTES']) {
      const { Items } = await by(name, { Select })
      expect(Items).toHaveLength(items.length)
      expect(Items).toEqual(expect.arrayContaining(expected))
    }
  })

  test.each([
    ['another', {}, refused('The table does not have the specified index: another')],
    ['all', { ConsistentRead: true }, refused('Consistent reads are not supported on global secondary indexes')],
    [
      'some',
      { Select: 'ALL_ATTRIBUTES' },
      invalid(
        'Select type ALL_ATTRIBUTES is not supported for global secondary index some because its projection type is not ALL',
      ),
    ],
    ['some', { ProjectionExpression: 'spare' }, invalid('Global secondary index some does not project [spare]')],
  ])('can be read as its kind allows: %s with %j', async (name, more, answer) => {
    expect(await by(name, more)).toEqual(answer)
  })

  test('is required for ALL_PROJECTED_ATTRIBUTES', async () => {
    expect(await query({ Select: 'ALL_PROJECTED_ATTRIBUTES' })).toEqual(
      refused('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName'),
    )
  })
})

test.each(['numbered', 'binary'])('the table %s orders sort keys by value', async (TableName) => {
  const numbers = [-10, -9.5, -1, 0, 2, 10, 100]
  const bytes = [[0], [1], [1, 0], [2, 255], [3], [255]].map((list) => Uint8Array.from(list))
  const keys = TableName === 'numbered' ? numbers.map((number) => ({ N: String(number) })) : bytes.map((B) => ({ B }))
  for (const sk of keys.toReversed()) await send('PutItem', { TableName, Item: { pk: { S: 'p' }, sk } })
  const { Items } = await send('Query', { TableName, ...of })
  expect((Items as { sk: unknown }[]).map(({ sk }) => sk)).toEqual(keys)
  const down = await send('Query', { TableName, ...of, ScanIndexForward: false })
  expect((down['Items'] as { sk: unknown }[]).map(({ sk }) => sk)).toEqual(keys.toReversed())
})
