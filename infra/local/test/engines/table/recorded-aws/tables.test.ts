import { describe, expect, test } from 'vitest'
import { constraint, type Input, refused, useEngine } from './engine.ts'

const send = useEngine()

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' })
const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' })
const all = { ProjectionType: 'ALL' }

const plan = {
  TableName: 'made',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [hash('pk')],
  AttributeDefinitions: [text('pk')],
}
const withIndex = (Projection: object, name = 'g') => ({
  AttributeDefinitions: [text('pk'), text('g')],
  GlobalSecondaryIndexes: [{ IndexName: 'first', KeySchema: [hash(name)], Projection }],
})
const invalid = (message: string) => `One or more parameter values were invalid: ${message}`
const one = (value: string, path: string, rule: string) =>
  `1 validation error detected: ${constraint(value, path, rule)}`

const refusals: readonly [string, Input, string][] = [
  ['no name', { TableName: undefined }, "The parameter 'TableName' is required but was not present in the request"],
  [
    'a name of two characters',
    { TableName: 'ab' },
    one("'ab'", 'tableName', 'Member must have length greater than or equal to 3'),
  ],
  [
    'a name of other characters, and no keys',
    { TableName: 'a table', KeySchema: [] },
    one("'a table'", 'tableName', 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+'),
  ],
  [
    'a key that is neither HASH nor RANGE',
    { KeySchema: [{ AttributeName: 'pk', KeyType: 'OTHER' }] },
    one("'OTHER'", 'keySchema.1.member.keyType', 'Member must satisfy enum value set: [HASH, RANGE]'),
  ],
  [
    'an attribute that is neither binary, number nor text',
    { AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'OTHER' }] },
    one("'OTHER'", 'attributeDefinitions.1.member.attributeType', 'Member must satisfy enum value set: [B, N, S]'),
  ],
  [
    'two keys of one attribute',
    { KeySchema: [hash('pk'), range('pk')] },
    'Invalid KeySchema: Some index key attribute have no definition',
  ],
  [
    'a key without a definition',
    { KeySchema: [hash('other')] },
    'Invalid KeySchema: Some index key attribute have no definition',
  ],
  [
    'two indexes of one name',
    {
      AttributeDefinitions: [text('pk'), text('g'), text('h')],
      GlobalSecondaryIndexes: ['g', 'h'].map((name) => ({
        IndexName: 'same',
        KeySchema: [hash(name)],
        Projection: all,
      })),
    },
    invalid('Duplicate index name: same'),
  ],
  [
    'an index by an attribute without a definition',
    withIndex(all, 'other'),
    invalid(
      'Some index key attributes are not defined in AttributeDefinitions. Keys: [other], AttributeDefinitions: [pk, g]',
    ),
  ],
  [
    'an index that includes nothing',
    withIndex({ ProjectionType: 'INCLUDE' }),
    invalid('ProjectionType is INCLUDE, but NonKeyAttributes is not specified'),
  ],
  [
    'an index of keys that includes more',
    withIndex({ ProjectionType: 'KEYS_ONLY', NonKeyAttributes: ['x'] }),
    invalid('ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified'),
  ],
]

describe('CreateTable', () => {
  test.each(refusals)('rejects %s', async (_, part, message) => {
    expect(await send('CreateTable', { ...plan, ...part })).toEqual(refused(message))
  })

  test('reports an attribute without a type and an unknown billing mode together', async () => {
    const AttributeDefinitions = [{ AttributeName: 'pk', AttributeType: 'OTHER' }]
    const { name, message } = await send('CreateTable', { ...plan, AttributeDefinitions, BillingMode: 'OTHER' })
    expect(name).toBe('ValidationException')
    expect(message).toMatch(/^2 validation errors detected: .*attributeType.*; .*billingMode/)
  })

  test.each([
    [
      'LocalSecondaryIndexes',
      {
        KeySchema: [hash('pk'), range('sk')],
        AttributeDefinitions: [text('pk'), text('sk'), text('l')],
        LocalSecondaryIndexes: [{ IndexName: 'local', KeySchema: [hash('pk'), range('l')], Projection: all }],
      },
    ],
    ['StreamSpecification', { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }],
    ['ProvisionedThroughput', { ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 } }],
    ['Tags', { Tags: [] }],
    ['BillingMode PROVISIONED, which is the default', { BillingMode: undefined }],
  ])('rejects by name: %s', async (name, part) => {
    expect(await send('CreateTable', { ...plan, ...part })).toEqual(
      refused(`The embedded table does not support: ${name}`),
    )
  })

  test('rejects a name that is taken', async () => {
    const { name } = await send('CreateTable', { ...plan, TableName: 'plain' })
    expect(name).toBe('ResourceInUseException')
  })
})

test('DescribeTable returns the contents of an index', async () => {
  const { Table } = await send('DescribeTable', { TableName: 'paired' })
  const { GlobalSecondaryIndexes } = Table as { GlobalSecondaryIndexes: { IndexName: string; Projection: object }[] }
  expect(GlobalSecondaryIndexes.map(({ IndexName, Projection }) => [IndexName, Projection])).toEqual([
    ['all', { ProjectionType: 'ALL' }],
    ['some', { ProjectionType: 'INCLUDE', NonKeyAttributes: ['held'] }],
    ['keys', { ProjectionType: 'KEYS_ONLY' }],
  ])
})

test.each([
  ['DescribeTable', {}],
  ['DeleteTable', {}],
  ['UpdateTimeToLive', { TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }],
])('%s does not find a missing table', async (operation, input) => {
  expect(await send(operation, { TableName: 'none', ...input })).toEqual(
    refused('Requested resource not found: Table: none not found', 'ResourceNotFoundException'),
  )
})

test('rejects an empty name of the time-to-live attribute', async () => {
  const input = { TableName: 'plain', TimeToLiveSpecification: { AttributeName: '', Enabled: true } }
  expect(await send('UpdateTimeToLive', input)).toEqual(
    refused(one("''", 'timeToLiveSpecification.attributeName', 'Member must have length greater than or equal to 1')),
  )
})
