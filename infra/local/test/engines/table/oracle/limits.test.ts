import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DynamoDb, startDynamoDb } from '../../../../../../test/support/dynamodb.ts'
import { connect, createTable, perform } from '../limits/calls.ts'
import { limits } from '../limits/limits.ts'

let oracle: DynamoDb
let client: DynamoDB

beforeAll(async () => {
  oracle = await startDynamoDb()
  client = connect(oracle.endpoint)
  await perform(client, createTable)
})
afterAll(async () => {
  client.destroy()
  await oracle.close()
})

const known = limits.filter(({ otherwiseLocally }) => otherwiseLocally === undefined)

test.each(known)('on DynamoDB Local too, $name, and no more', async ({ given = [], within, beyond }) => {
  for (const call of given) expect(await perform(client, call)).toMatchObject({ name: 'ok' })
  expect(['ok', 'ConditionalCheckFailedException']).toContain((await perform(client, within)).name)
  expect((await perform(client, beyond)).name).toMatch(/^Validation(?:Exception|Error)$/)
})
