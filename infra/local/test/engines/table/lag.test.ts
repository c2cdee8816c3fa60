import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  DeleteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IndexName, key, open, TableName } from './open.ts'

const boundMs = 1_000

/** One item as the tests write it: its key, its index key, and its version. */
interface Thing {
  PK: string
  SK: string
  n: number
  version: number
}

const itemOf = ({ PK, SK, n, version }: Thing) => ({
  ...key(PK, SK),
  g: { S: 'g' },
  n: { N: `${n}` },
  version: { N: `${version}` },
})

const put = (client: DynamoDBClient, thing: Thing) =>
  client.send(new PutItemCommand({ TableName, Item: itemOf(thing) }))

const versionsIn = (items: readonly Record<string, { N?: string }>[] = []) => items.map(({ version }) => version?.N)

/** What each kind of read shows of the items with the key `p`. */
const readers: Record<string, (client: DynamoDBClient, ConsistentRead: boolean) => Promise<unknown>> = {
  GetItem: async (client, ConsistentRead) => {
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key('p'), ConsistentRead }))
    return versionsIn(Item ? [Item as never] : [])
  },
  BatchGetItem: async (client, ConsistentRead) => {
    const request = { RequestItems: { [TableName]: { Keys: [key('p')], ConsistentRead } } }
    const { Responses }: BatchGetItemCommandOutput = await client.send(new BatchGetItemCommand(request))
    return versionsIn(Responses?.[TableName] as never)
  },
  Query: async (client, ConsistentRead) => {
    const request = { TableName, ConsistentRead, KeyConditionExpression: 'PK = :p' }
    const values = { ExpressionAttributeValues: { ':p': { S: 'p' } } }
    return versionsIn((await client.send(new QueryCommand({ ...request, ...values }))).Items as never)
  },
  Scan: async (client, ConsistentRead) =>
    versionsIn((await client.send(new ScanCommand({ TableName, ConsistentRead }))).Items as never),
}

const readIndex = async (client: DynamoDBClient, more: object = {}) => {
  const request = { TableName, IndexName, KeyConditionExpression: 'g = :g' }
  const answer = await client.send(
    new QueryCommand({ ...request, ExpressionAttributeValues: { ':g': { S: 'g' } }, ...more }),
  )
  return versionsIn(answer.Items as never)
}

test.each(Object.keys(readers))('%s shows a write after the lag; with ConsistentRead, immediately', async (name) => {
  const { client, clock } = await open({ lag: { boundMs } })
  const read = (consistent: boolean) => readers[name]?.(client, consistent)
  await put(client, { PK: 'p', SK: 'a', n: 1, version: 1 })
  expect(await read(true)).toEqual(['1'])
  expect(await read(false)).toEqual([])
  clock.pass(boundMs - 1)
  expect(await read(false)).toEqual([])
  clock.pass(1)
  expect(await read(false)).toEqual(['1'])
  await put(client, { PK: 'p', SK: 'a', n: 1, version: 2 })
  expect([await read(true), await read(false)]).toEqual([['2'], ['1']])
  clock.pass(boundMs)
  await client.send(new DeleteItemCommand({ TableName, Key: key('p') }))
  expect([await read(true), await read(false)]).toEqual([[], ['2']])
  clock.pass(boundMs)
  expect(await read(false)).toEqual([])
})

test('an index shows a write after the lag, and the earlier position of the item until then', async () => {
  const { client, clock } = await open({ lag: { boundMs } })
  await put(client, { PK: 'p', SK: 'a', n: 1, version: 1 })
  await put(client, { PK: 'p', SK: 'b', n: 2, version: 2 })
  expect(await readIndex(client)).toEqual([])
  clock.pass(boundMs)
  expect(await readIndex(client)).toEqual(['1', '2'])
  await put(client, { PK: 'p', SK: 'a', n: 3, version: 3 })
  expect(await readIndex(client)).toEqual(['1', '2'])
  expect(await readIndex(client, { ScanIndexForward: false })).toEqual(['2', '1'])
  expect(versionsIn((await client.send(new ScanCommand({ TableName, IndexName }))).Items as never)).toEqual(['1', '2'])
  clock.pass(boundMs)
  expect(await readIndex(client)).toEqual(['2', '3'])
})

test('the writes of a transaction lag like all others', async () => {
  const { client } = await open({ lag: { boundMs } })
  const Item = itemOf({ PK: 'p', SK: 'a', n: 1, version: 1 })
  await client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item } }] }))
  expect(await readers['GetItem']?.(client, true)).toEqual(['1'])
  expect(await readers['GetItem']?.(client, false)).toEqual([])
})

test('a recreated table has no data of the previous one', async () => {
  const { client, clock, create } = await open({ lag: { boundMs } })
  await put(client, { PK: 'p', SK: 'a', n: 1, version: 1 })
  clock.pass(boundMs)
  await client.send(new DeleteItemCommand({ TableName, Key: key('p') }))
  await client.send(new DeleteTableCommand({ TableName }))
  await create()
  await put(client, { PK: 'q', SK: 'a', n: 1, version: 2 })
  expect(await readers['Scan']?.(client, false)).toEqual([])
})

test('with a seed, a later read can show an earlier state until the lag has passed', async () => {
  const { client, clock } = await open({ lag: { boundMs, seed: 1 } })
  await put(client, { PK: 'p', SK: 'a', n: 1, version: 1 })
  clock.pass(boundMs / 2)
  const seen: unknown[] = []
  for (let read = 0; read < 40; read += 1) seen.push(JSON.stringify(await readers['GetItem']?.(client, false)))
  expect(seen.lastIndexOf('[]')).toBeGreaterThan(seen.indexOf('["1"]'))
  expect(seen).toContain('["1"]')
  clock.pass(boundMs / 2)
  for (let read = 0; read < 40; read += 1) expect(await readIndex(client)).toEqual(['1'])
})

const step = fc.oneof(
  fc.record({ SK: fc.constantFrom('a', 'ü', '漢', '😀', 'b'), n: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ remove: fc.constantFrom('a', 'ü', '漢', '😀', 'b') }),
  fc.record({ passMs: fc.constantFrom(0, 1, 400, 999, 1_000) }),
)
const page = fc.record({ Limit: fc.integer({ min: 1, max: 3 }), ScanIndexForward: fc.boolean() })

/** All pages of a Query, of the table or of its index. */
const walk = async (client: DynamoDBClient, request: object) => {
  const versions: (string | undefined)[] = []
  let start: object = {}
  for (let pages = 0; pages < 20; pages += 1) {
    const answer = await client.send(new QueryCommand({ TableName, ...request, ...start } as never))
    versions.push(...versionsIn(answer.Items as never))
    if (answer.LastEvaluatedKey === undefined) return versions
    start = { ExclusiveStartKey: answer.LastEvaluatedKey }
  }
  throw new Error('the pages have no end')
}

const bytesOf = (text: string) => Buffer.from(text)

test('whenever writes happen, each page shows the state of one lag ago', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 16 }), page, async (steps, how) => {
      const { client, clock, close } = await open({ lag: { boundMs } })
      /** All states there were, the newest last. */
      const states = [{ sinceMs: 0, things: [] as readonly Thing[] }]
      for (const [version, step] of steps.entries()) {
        const { things } = states.at(-1) ?? { things: [] }
        const write = (SK: string, added: readonly Thing[]) =>
          states.push({ sinceMs: clock.now(), things: [...things.filter((thing) => thing.SK !== SK), ...added] })
        if ('passMs' in step) clock.pass(step.passMs)
        else if ('remove' in step) {
          await client.send(new DeleteItemCommand({ TableName, Key: key('p', step.remove) }))
          write(step.remove, [])
        } else {
          await put(client, { PK: 'p', ...step, version })
          write(step.SK, [{ PK: 'p', ...step, version }])
        }
        const then = states.findLast(({ sinceMs }) => sinceMs <= clock.now() - boundMs)?.things ?? []
        const sign = how.ScanIndexForward ? 1 : -1
        const byKey = (a: Thing, b: Thing) => sign * Buffer.compare(bytesOf(a.SK), bytesOf(b.SK))
        const inTable = { ...how, KeyConditionExpression: 'PK = :p AND SK >= :a' }
        const shown = await walk(client, {
          ...inTable,
          ExpressionAttributeValues: { ':p': { S: 'p' }, ':a': { S: 'b' } },
        })
        const expected = [...then].filter(({ SK }) => SK !== 'a').sort(byKey)
        expect(shown).toEqual(expected.map((thing) => `${thing.version}`))
        const inIndex = { ...how, IndexName, KeyConditionExpression: 'g = :g AND n BETWEEN :low AND :high' }
        const indexed = await walk(client, {
          ...inIndex,
          ExpressionAttributeValues: { ':g': { S: 'g' }, ':low': { N: '-1' }, ':high': { N: '2' } },
        })
        const byN = (a: Thing, b: Thing) => sign * (a.n - b.n) || byKey(a, b)
        const expectedThere = [...then].filter(({ n }) => n >= -1).sort(byN)
        expect(indexed).toEqual(expectedThere.map((thing) => `${thing.version}`))
      }
      await close()
    }),
    { numRuns: 25 },
  )
})
