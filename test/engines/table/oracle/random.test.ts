import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DynamoDb, startDynamoDb } from '../../../../infra/local/dynamodb.ts'
import type { Engine } from '../../../../infra/local/engines/engine.ts'
import { startTable } from '../../../../infra/local/engines/table.ts'
import { random62 } from '../../../../shared/ids.ts'
import { command, plan, send } from '../commands.ts'
import { normal } from '../normal.ts'

const operations = Number(process.env['ORACLE_OPERATIONS'] ?? 2_000)
/** The same operations in every run, unless others are asked for. */
const seed = Number(process.env['ORACLE_SEED'] ?? 20261122)
const perTable = 25

let oracle: DynamoDb
let table: Engine

beforeAll(async () => {
  table = await startTable({ clock: Date })
  oracle = await startDynamoDb()
})
afterAll(async () => {
  await table.close()
  await oracle.close()
})

/** Two empty tables, one in each engine. */
const bothEngines = async () => {
  const credentials = { accessKeyId: random62(20), secretAccessKey: 'local' }
  const clients = [table.url, oracle.endpoint].map(
    (endpoint) => new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 }),
  )
  await Promise.all(clients.map((client) => client.send(new CreateTableCommand(plan as never))))
  return clients
}

test(`the embedded table answers ${operations} random operations as DynamoDB Local does`, async () => {
  const counts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: perTable, maxLength: perTable }), async (commands) => {
      const clients = await bothEngines()
      for (const one of commands) {
        const [ours, theirs] = await Promise.all(clients.map((client) => send(client, one)))
        const kind = `${one.operation} ${(theirs as { name?: string }).name ?? 'ok'}`
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
        expect(normal(one, ours), JSON.stringify(one)).toEqual(normal(one, theirs))
      }
      for (const client of clients) client.destroy()
    }),
    { numRuns: Math.ceil(operations / perTable), seed },
  )
  console.log(
    [...counts]
      .sort()
      .map(([kind, count]) => `${count} × ${kind}`)
      .join('\n'),
  )
}, 3_600_000)
