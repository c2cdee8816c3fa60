import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DynamoDb, startDynamoDb } from '../../../../../../test/support/dynamodb.ts'
import type { Engine } from '../../../../engines/engine.ts'
import { reservedWords } from '../../../../engines/table/expression/reserved-words.ts'
import { startTable } from '../../../../engines/table.ts'
import { connect, createTable, key, perform, TableName } from '../limits/calls.ts'

let oracle: DynamoDb
let table: Engine
let clients: DynamoDB[]

beforeAll(async () => {
  table = await startTable({ clock: Date })
  oracle = await startDynamoDb()
  clients = [connect(table.url), connect(oracle.endpoint, false)]
  for (const client of clients) await perform(client, createTable)
})
afterAll(async () => {
  for (const client of clients) client.destroy()
  await table.close()
  await oracle.close()
})

/** AWS lists these words; DynamoDB Local takes them as names. */
const otherwiseLocally = ['CONVERT', 'SIZE']

test('both engines reject the same words as names', async () => {
  const names = [...reservedWords].flatMap((word) => [word, word.toLowerCase(), `a${word}`])
  const differences: string[] = []
  const compare = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const ConditionExpression = `attribute_not_exists(${name})`
      const call = ['PutItem', { TableName, Item: key('p'), ConditionExpression }] as const
      const [ours, theirs] = await Promise.all(clients.map((client) => perform(client, call)))
      if (ours?.name !== theirs?.name) differences.push(name)
    }
  }
  await Promise.all(Array.from({ length: 8 }, compare))
  const known = otherwiseLocally.flatMap((word) => [word, word.toLowerCase()])
  expect(differences.sort()).toEqual(known.sort())
})
