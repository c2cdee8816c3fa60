import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { CreateTableCommand, DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, test } from 'vitest'
import { type Killable, startKillable } from '../killable.ts'
import { indexKeys, plan, type Rows, TableName, type Writer, writers } from './durability/writers.ts'

const rounds = 24
const maxWrites = 80

const folder = mkdtempSync(join(tmpdir(), 'durable-'))
let engine: Killable
afterEach(async () => {
  await engine.kill()
  rmSync(folder, { recursive: true })
})

const credentials = { accessKeyId: 'durable', secretAccessKey: 'local' }
const startEngine = () => startKillable(new URL('./durability/serve.ts', import.meta.url), folder)
const connect = ({ firstMessage }: Killable) =>
  new DynamoDBClient({ endpoint: String(firstMessage), region: 'us-east-1', credentials, maxAttempts: 1 })

/** Writes until the engine is gone; returns how many of all its writes were acknowledged. */
const writeOn = async (client: DynamoDBClient, writer: Writer, before: number, acknowledge: () => void) => {
  for (let n = before; ; n += 1) {
    try {
      await writer.write(client, n + 1)
      acknowledge()
    } catch (error) {
      // A refusal would have a status.
      expect(error).not.toHaveProperty('$metadata.httpStatusCode', expect.any(Number))
      return n
    }
  }
}

/** Lets all writers write, and kills the engine after a random number of answers, somewhere in the next ones. */
const writeUntilKilled = async (written: ReadonlyMap<Writer, number>): Promise<number[]> => {
  const client = connect(engine)
  let left = randomInt(1, maxWrites)
  const enough = Promise.withResolvers<void>()
  const acknowledge = () => {
    left -= 1
    if (left === 0) enough.resolve()
  }
  const writing = writers.map((writer) => writeOn(client, writer, written.get(writer) ?? 0, acknowledge))
  await enough.promise
  await sleep(randomInt(5))
  await engine.kill()
  const acknowledged = await Promise.all(writing)
  client.destroy()
  return acknowledged
}

const readPartition = async (client: DynamoDBClient, { partition }: Writer): Promise<Rows> => {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': { S: partition } },
      ConsistentRead: true,
    }),
  )
  return Object.fromEntries(Items.map((item) => [item['SK']?.S, Number(item['n']?.N)]))
}

/** The rows that the index shows, as `partition/row`. */
const readIndex = async (client: DynamoDBClient): Promise<string[]> => {
  const queries = indexKeys.map((key) =>
    client.send(
      new QueryCommand({
        TableName,
        IndexName: 'byG',
        KeyConditionExpression: 'G = :g',
        ExpressionAttributeValues: { ':g': { S: key } },
      }),
    ),
  )
  const items = (await Promise.all(queries)).flatMap(({ Items = [] }) => Items)
  return items.map((item) => `${item['PK']?.S}/${item['SK']?.S}`).sort()
}

test(`after each of ${rounds} SIGKILLs every acknowledged write is there, and each transaction is whole or absent`, async () => {
  engine = await startEngine()
  await connect(engine).send(new CreateTableCommand(plan as never))
  const written = new Map<Writer, number>()
  for (let round = 0; round < rounds; round += 1) {
    const acknowledged = await writeUntilKilled(written)
    engine = await startEngine()
    const client = connect(engine)
    const inIndex: string[] = []
    for (const [at, writer] of writers.entries()) {
      const sure = acknowledged[at] ?? 0
      const rows = await readPartition(client, writer)
      // The write that was not answered may be there too, as a whole.
      const items = [sure, sure + 1].find((count) => isDeepStrictEqual(rows, writer.after(count)))
      expect(items, `${writer.partition} after ${sure} writes is ${JSON.stringify(rows)}`).toBeDefined()
      written.set(writer, items ?? sure)
      const indexed = Object.keys(rows).filter((name) => name !== 'count')
      inIndex.push(...indexed.map((name) => `${writer.partition}/${name}`))
    }
    expect(await readIndex(client)).toEqual(inIndex.sort())
    client.destroy()
  }
  for (const count of written.values()) expect(count).toBeGreaterThan(0)
  await engine.kill()
  const database = new DatabaseSync(join(folder, 'table.sqlite'))
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
}, 240_000)
