import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CreateTableCommand, type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { expect, onTestFinished, test } from 'vitest'
import { key, open } from './open.ts'

const plan = {
  TableName: 'projected',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: ['PK', 'SK', 'g'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-g',
      KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['state'] },
    },
  ],
} as const

const put = (client: DynamoDBClient, PK: string, state: string) => {
  const Item = { ...key(PK), g: { S: 'all' }, state: { S: state }, text: { S: 'not in the index' } }
  return client.send(new PutItemCommand({ TableName: plan.TableName, Item }))
}

const indexed = async (client: DynamoDBClient) => {
  const names = { ExpressionAttributeNames: { '#g': 'g' }, ExpressionAttributeValues: { ':g': { S: 'all' } } }
  const of = { TableName: plan.TableName, IndexName: 'by-g', KeyConditionExpression: '#g = :g' }
  const { Items } = await client.send(new QueryCommand({ ...of, ...names }))
  return Items
}

const item = (PK: string, state: string) => ({ ...key(PK), g: { S: 'all' }, state: { S: state } })

test('an index holds what it projects, as the last write left it', async () => {
  const { client } = await open()
  await client.send(new CreateTableCommand(plan as never))
  await put(client, 'one', 'draft')
  await put(client, 'one', 'published')
  expect(await indexed(client)).toEqual([item('one', 'published')])
})

test('a file of an earlier release, whose indexes hold keys alone, is read and written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earlier-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const first = await open({ folder })
  await first.client.send(new CreateTableCommand(plan as never))
  for (const PK of ['a', 'b']) await put(first.client, PK, 'draft')
  const { credentials } = first.client.config
  await first.close()
  const file = new DatabaseSync(join(folder, 'table.sqlite'))
  file.exec('alter table entries drop column view')
  file.close()

  const { client } = await open({ folder })
  Object.assign(client.config, { credentials })
  expect(await indexed(client)).toEqual([item('a', 'draft'), item('b', 'draft')])
  await put(client, 'b', 'published')
  expect(await indexed(client)).toEqual([item('a', 'draft'), item('b', 'published')])
})
