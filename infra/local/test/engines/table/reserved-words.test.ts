import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reservedWords } from '../../../engines/table/expression/reserved-words.ts'
import { type Call, key, perform, TableName } from './limits/calls.ts'
import { useTable } from './limits/table.ts'

const client = useTable()

const ExpressionAttributeValues = { ':a': { S: 'a' } }
const put = (ConditionExpression: string, more: object = {}): Call => [
  'PutItem',
  { TableName, Item: key('p'), ConditionExpression, ...more },
]
const update = (UpdateExpression: string, more: object = {}): Call => [
  'UpdateItem',
  { TableName, Key: key('u'), UpdateExpression, ...more },
]
const withValue = { ExpressionAttributeValues }

/** The positions of an expression where a name can occur, by parameter. */
const calls: readonly [string, (name: string) => Call][] = [
  ['ConditionExpression', (name) => put(`attribute_not_exists(${name})`)],
  ['ConditionExpression', (name) => put(`NOT ${name} = :a`, withValue)],
  ['ConditionExpression', (name) => put(`NOT size(${name}) = :a`, withValue)],
  ['ConditionExpression', (name) => put(`attribute_not_exists(z[0].${name})`)],
  ['UpdateExpression', (name) => update(`SET ${name} = :a`, withValue)],
  ['UpdateExpression', (name) => update(`SET z = if_not_exists(${name}, :a)`, withValue)],
  ['UpdateExpression', (name) => update(`REMOVE z, ${name}`)],
  ['UpdateExpression', (name) => update(`DELETE ${name} :a`, { ExpressionAttributeValues: { ':a': { SS: ['a'] } } })],
  ['ProjectionExpression', (name) => ['GetItem', { TableName, Key: key('p'), ProjectionExpression: `z, ${name}` }]],
  ['FilterExpression', (name) => ['Scan', { TableName, FilterExpression: `${name} = :a`, ...withValue }]],
  [
    'KeyConditionExpression',
    (name) => ['Query', { TableName, KeyConditionExpression: `PK = :a AND ${name} = :a`, ...withValue }],
  ],
]

describe.each(calls)('%s %#', (parameter, call) => {
  test('rejects reserved words as names, in upper or lower case', async () => {
    for (const word of ['status', 'Status', 'NAME', 'data', 'ttl', 'url', 'owner', 'size']) {
      const { name, message } = await perform(client(), call(word))
      const expectedMessage = `Invalid ${parameter}: Attribute name is a reserved keyword; reserved keyword: ${word}`
      expect({ name, message }).toEqual({ name: 'ValidationException', message: expectedMessage })
    }
  })

  test('rejects the words of its grammar as names', async () => {
    for (const word of ['and', 'OR', 'Not', 'in', 'between', 'SET', 'add', 'REMOVE', 'delete']) {
      const { name, message } = await perform(client(), call(word))
      expect(name, word).toBe('ValidationException')
      expect(message).toContain(`Invalid ${parameter}: Syntax error; token: `)
    }
  })
})

test('behind a placeholder, a reserved word is an ordinary name; SIZE remains a function', async () => {
  const names = { ExpressionAttributeNames: { '#status': 'status' } }
  const set = update('SET #status = :a', { ...withValue, ...names })
  expect(await perform(client(), set)).toMatchObject({ name: 'ok' })
  const condition = 'size(#status) = :one'
  const values = { ExpressionAttributeValues: { ':one': { N: '1' } } }
  const remove = update('REMOVE #status', { ...names, ...values, ConditionExpression: condition })
  expect(await perform(client(), remove)).toMatchObject({ name: 'ok' })
})

/** The one word of the grammar that is not on AWS's list. */
const grammar = /^remove$/i
const identifier = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/)
  .filter((name) => !reservedWords.has(name.toUpperCase()) && !grammar.test(name))

test('any other word is a name', async () => {
  await fc.assert(
    fc.asyncProperty(identifier, async (name) => {
      expect((await perform(client(), put(`attribute_not_exists(${name})`))).message).toBe('')
    }),
  )
})
