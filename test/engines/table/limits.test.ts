import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../infra/local/engines/engine.ts'
import { startTable } from '../../../infra/local/engines/table.ts'
import { type Call, connect, createTable, key, perform, TableName } from './limits/calls.ts'
import { limits } from './limits/limits.ts'

let engine: Engine
let client: DynamoDB

beforeAll(async () => {
  engine = await startTable({ clock: { now: () => Date.UTC(2030, 0, 1) } })
  client = connect(engine.url)
  await perform(client, createTable)
})
afterAll(async () => {
  client.destroy()
  await engine.close()
})

test.each(limits)('$name, and no more', async ({ given = [], within, beyond, says }) => {
  for (const call of given) expect(await perform(client, call)).toMatchObject({ name: 'ok' })
  expect(['ok', 'ConditionalCheckFailedException']).toContain((await perform(client, within)).name)
  const { name, message } = await perform(client, beyond)
  expect(name).toMatch(/^Validation(?:Exception|Error)$/)
  expect(message).toMatch(says)
})

const large = (SK: string) => ({ ...key('large', SK), t: { S: 'x'.repeat(399 * 1024) } })

/** Items of 16.8 MB. */
const fill = async () => {
  const names = Array.from({ length: 43 }, (_, at) => `${at}`.padStart(2, '0'))
  for (const SK of names) await perform(client, ['PutItem', { TableName, Item: large(SK) }])
  return names
}

test('a page has 1 MB and what crosses it; a batch reads 16 MB, and leaves the rest', async () => {
  const names = await fill()
  const pages: Call = [
    'Query',
    { TableName, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'large' } } },
  ]
  const { answer: page } = await perform(client, pages)
  expect(page).toMatchObject({ Count: 3, LastEvaluatedKey: key('large', '02') })
  const Keys = names.map((SK) => key('large', SK))
  const { answer: batch } = await perform(client, ['BatchGetItem', { RequestItems: { [TableName]: { Keys } } }])
  const responses = batch?.['Responses'] as Record<string, unknown[]>
  expect(responses[TableName]).toHaveLength(41)
  expect(batch?.['UnprocessedKeys']).toEqual({ [TableName]: { Keys: Keys.slice(41) } })
})
