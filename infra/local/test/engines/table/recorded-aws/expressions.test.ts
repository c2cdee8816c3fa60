import { describe, expect, test } from 'vitest'
import { type Input, refused, useEngine } from './engine.ts'

const send = useEngine()
const TableName = 'plain'
const Key = { pk: { S: 'a' } }
const value = { ':v': { S: 'x' } }

const syntax = (what: string, token: string, near: string) =>
  `Invalid ${what}: Syntax error; token: "${token}", near: "${near}"`
const update = (UpdateExpression: string, more: Input = {}): [string, Input] => [
  'UpdateItem',
  { TableName, Key, UpdateExpression, ...more },
]
const put = (ConditionExpression: string, more: Input = {}): [string, Input] => [
  'PutItem',
  { TableName, Item: Key, ConditionExpression, ...more },
]
const get = (ProjectionExpression: string, more: Input = {}): [string, Input] => [
  'GetItem',
  { TableName, Key, ProjectionExpression, ...more },
]
const scan = (FilterExpression: string, more: Input = {}): [string, Input] => [
  'Scan',
  { TableName, FilterExpression, ...more },
]
const withValue = { ExpressionAttributeValues: value }

const refusals: readonly [string, [string, Input], string][] = [
  ['a sentence', update('NOT AN UPDATE', withValue), syntax('UpdateExpression', 'NOT', 'NOT AN')],
  ['a sign of no meaning', get('!!! a'), syntax('ProjectionExpression', '!', '!!')],
  ['a sign where a name is due', get('a, , b'), syntax('ProjectionExpression', ',', ', , b')],
  ['what ends too early', put('attribute_exists('), syntax('ConditionExpression', '<EOF>', '(')],
  ['what ends behind a comma', update('SET a = :v,', withValue), syntax('UpdateExpression', '<EOF>', ',')],
  ['a blank in a placeholder', update('ADD a : v', withValue), syntax('UpdateExpression', ':', 'a : v')],
  ['an empty update', update(''), 'Invalid UpdateExpression: The expression can not be empty;'],
  ['an empty condition', put(''), 'Invalid ConditionExpression: The expression can not be empty;'],
  ['an empty projection', get(''), 'Invalid ProjectionExpression: The expression can not be empty;'],
  [
    'a name that is not defined',
    scan('#a = :v', withValue),
    'Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #a',
  ],
  [
    'a value that is not defined',
    update('SET a = :v'),
    'Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v',
  ],
  [
    'a name that is not used',
    update('SET a = :v', { ...withValue, ExpressionAttributeNames: { '#b': 'b' } }),
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
  ],
  [
    'a value that is not used',
    update('SET a = :v', { ExpressionAttributeValues: { ...value, ':w': { S: 'y' } } }),
    'Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}',
  ],
  [
    'a name without its sign',
    update('SET #a = :v', { ...withValue, ExpressionAttributeNames: { name: 'b' } }),
    'ExpressionAttributeNames contains invalid key: Syntax error; key: "name"',
  ],
  [
    'a value without its sign',
    update('SET a = :v', { ExpressionAttributeValues: { value: { S: 'x' } } }),
    'ExpressionAttributeValues contains invalid key: Syntax error; key: "value"',
  ],
  [
    'values of a put without a condition',
    ['PutItem', { TableName, Item: Key, ...withValue }],
    'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null',
  ],
  [
    'values of an update without expressions',
    ['UpdateItem', { TableName, Key, ...withValue }],
    'ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null',
  ],
  [
    'names without expressions',
    ['UpdateItem', { TableName, Key, ExpressionAttributeNames: { '#a': 'a' } }],
    'ExpressionAttributeNames can only be specified when using expressions',
  ],
  [
    'parentheses within parentheses',
    put('((attribute_exists(pk)))'),
    'Invalid ConditionExpression: The expression has redundant parentheses;',
  ],
  [
    'a path twice',
    get('#a, #b', { ExpressionAttributeNames: { '#a': 'a', '#b': 'a' } }),
    'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]',
  ],
  [
    'a path and a part of it',
    get('a, a.b'),
    'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]',
  ],
  [
    'a path within itself',
    put('contains(#a, #a)', { ExpressionAttributeNames: { '#a': 'a' } }),
    'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [a]',
  ],
]

test.each(refusals)('rejects %s', async (_, [operation, input], message) => {
  expect(await send(operation, input)).toEqual(refused(message))
})

test('reports an error in an expression before a missing table', async () => {
  const answer = refused('Invalid ConditionExpression: The expression can not be empty;')
  expect(await send('PutItem', { TableName: 'none', Item: Key, ConditionExpression: '' })).toEqual(answer)
})

test.each([
  '(attribute_not_exists(pk)) AND (attribute_not_exists(a))',
  '(attribute_not_exists(pk) AND attribute_not_exists(a))',
  '(attribute_not_exists(pk) AND (attribute_not_exists(a)))',
  'NOT (attribute_exists(pk))',
])('accepts the parentheses of %s', async (ConditionExpression) => {
  const Item = { pk: { S: ConditionExpression } }
  expect(await send('PutItem', { TableName, Item, ConditionExpression })).toEqual({ status: 200 })
})

describe('a projection', () => {
  const Item = {
    pk: { S: 'projected' },
    tree: { M: { a: { S: 'x' }, b: { L: [{ M: { c: { N: '1' }, d: { N: '2' } } }] } } },
    steps: { L: [{ S: 'p' }, { S: 'q' }, { S: 'r' }] },
  }

  test.each([
    ['places in the order of the list', 'steps[2], steps[0]', { steps: { L: [{ S: 'p' }, { S: 'r' }] } }],
    [
      'two members of one element together',
      'tree.b[0].c, tree.b[0].d',
      { tree: { M: { b: { L: [{ M: { c: { N: '1' }, d: { N: '2' } } }] } } } },
    ],
    ['nothing of what is not there', 'tree.lost, steps[7], lost', {}],
    ['an existing path next to a missing one', 'tree.lost, tree.a', { tree: { M: { a: { S: 'x' } } } }],
  ])('returns %s', async (_, ProjectionExpression, expected) => {
    await send('PutItem', { TableName, Item })
    const input = { TableName, Key: { pk: Item.pk }, ProjectionExpression }
    expect(await send('GetItem', input)).toEqual({ status: 200, Item: expected })
  })
})
