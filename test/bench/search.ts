import { join } from 'node:path'
import { BatchWriteItemCommand, CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import MiniSearch from 'minisearch'
import { startBuckets } from '../../infra/local/engines/buckets.ts'
import { setProcessEnvironment } from '../../infra/local/service/environment.ts'
import { readStacks } from '../../infra/local/template/stack.ts'
import { drawBlueprint } from '../../infra/local/template.ts'
import { type Context, makeContext } from '../../shared/context.ts'
import { type Item, put } from '../../shared/db/table.ts'
import { ulid } from '../../shared/ids.ts'
import { type Collection, collections } from '../../shared/memory/collection.ts'
import { memories } from '../../shared/memory/memory.ts'
import { loadSegment } from '../../shared/memory/search/files.ts'
import { memoryIndexes } from '../../shared/memory/search/index-row.ts'
import { searchMemories } from '../../shared/memory/search/search.ts'
import { weightOf } from '../../shared/memory/search/segment.ts'
import { updateIndex } from '../../shared/memory/search/update-index.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { startDynamoDb } from '../support/dynamodb.ts'
import { makeStepRecorder, tripsOf } from '../support/world/round-trips.ts'
import { startMeter } from './capacity.ts'
import { makeTexts } from './texts.ts'

/**
 * What a search costs in ten collections of ten thousand memories each: indexes built by the worker's own code from the
 * table, files, loading, memory, time, read units and round trips; and what the same texts cost in MiniSearch. Two
 * numbers as arguments choose how many memories a collection has, and how many words a memory.
 */
const [each = 10_000, length = 50] = process.argv.slice(2).map(Number)
const depth = 10
const workspaceId = 'ws_bench'

const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' }
const [database, buckets] = await Promise.all([startDynamoDb(), startBuckets({ clock: Date, credentials })])
const meter = await startMeter(database.endpoint)
setProcessEnvironment({
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_ENDPOINT_URL_DYNAMODB: meter.endpoint,
  AWS_ENDPOINT_URL_S3: buckets.url,
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
})
const direct = new DynamoDBClient({ endpoint: database.endpoint })
const [table] = drawBlueprint(readStacks(join(await synthesizeOnce(), 'assembly'))).tables
if (table === undefined) throw new Error('the templates have no table')
const { TimeToLiveSpecification: _, ...plan } = table
await direct.send(new CreateTableCommand({ ...plan, BillingMode: 'PAY_PER_REQUEST' }))
buckets.create('indexes')

const recorder = makeStepRecorder()
const observe: Context['observe'] = (effect, run) => recorder.observe({ ...effect, functionName: 'search' }, run)
const variables = {
  TABLE_NAME: plan.TableName,
  MEDIA_URL: 'https://media.invalid',
  INDEX_BUCKET: 'indexes',
  QUEUE_URL_PREFIX: 'http://127.0.0.1:9/',
}
const log = { info: () => {}, warn: () => {}, error: console.error }
/** A separate context is a cold environment: it has read nothing yet. */
const environment = () => makeContext(variables, { observe, log })

const { text, prompt } = makeTexts(42, 60_000)
const hourAgo = Date.now() - 3_600_000

const write = async (rows: readonly Item[]) => {
  const chunks = Array.from({ length: Math.ceil(rows.length / 25) }, (_, n) => rows.slice(n * 25, n * 25 + 25))
  for (let from = 0; from < chunks.length; from += 8) {
    const some = chunks.slice(from, from + 8).map((chunk) => {
      const puts = chunk.map((row) => ({ PutRequest: { Item: marshall(row) } }))
      return direct.send(new BatchWriteItemCommand({ RequestItems: { [plan.TableName]: puts } }))
    })
    await Promise.all(some)
  }
}

const rowsOf = (collectionId: string, count: number, fromMs: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `mem_${ulid(fromMs + n)}`,
    workspaceId,
    collectionId,
    text: text(length),
    createdBy: 'somebody',
    createdAt: new Date(fromMs + n).toISOString(),
  }))

const timed = async <T>(run: () => Promise<T>) => {
  const startedAt = performance.now()
  const result = await run()
  return { result, ms: performance.now() - startedAt }
}

const quantile = (values: readonly number[], at: number) =>
  [...values].sort((left, right) => left - right)[Math.floor((values.length - 1) * at)] ?? Number.NaN

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const milliseconds = (values: readonly number[]) =>
  `p50 ${quantile(values, 0.5).toFixed(0)} ms, p95 ${quantile(values, 0.95).toFixed(0)} ms`
const line = (label: string, value: string) => console.log(`${label.padEnd(44)} ${value}`)

const ctx = environment()
const ids = Array.from({ length: depth }, (_, n) => `col_${n}`)
const peerTexts = new Map<string, readonly { id: string; text: string }[]>()
const collectionOf = (id: string, memoryCount: number): Collection => {
  const at = { createdBy: 'somebody', createdAt: '', updatedAt: '' }
  return { ...at, id, workspaceId, name: id, color: null, isPrivate: false, memoryCount }
}
await put(ctx, { ...workspaces.key({ id: workspaceId }) })

let buildMs = 0
for (const id of ids) {
  const rows = rowsOf(id, each, hourAgo)
  peerTexts.set(
    id,
    rows.map((row) => ({ id: row.id, text: row.text })),
  )
  await write(rows.map(memories.item))
  await put(ctx, collections.item(collectionOf(id, each)))
  let row = await memoryIndexes.get(ctx, { workspaceId, id })
  while ((row?.fileCount ?? 0) < each) {
    buildMs += (await timed(() => updateIndex(ctx, { workspaceId, collectionId: id }))).ms
    row = await memoryIndexes.get(ctx, { workspaceId, id })
  }
}

const searchIn = async (some: Context, searchText: string) => {
  const searched = ids.map(async (id) => ({
    collection: collectionOf(id, each),
    index: await memoryIndexes.get(ctx, { workspaceId, id }),
  }))
  const known = await Promise.all(searched)
  return timed(() => searchMemories(some, known, searchText, 5))
}

const report = async (name: string, some: Context) => {
  const times: number[] = []
  for (let n = 0; n < 100; n += 1) times.push((await searchIn(some, prompt())).ms)
  line(`warm search, ${name}`, milliseconds(times))
  const typing: number[] = []
  for (let n = 0; n < 20; n += 1) typing.push((await searchIn(some, `${prompt()} xqzzwordk${n}`)).ms)
  line(`warm search with a mistyped word, ${name}`, milliseconds(typing))
}

const files = buckets.list('indexes').map(({ size }) => size)
console.log(`${depth} collections of ${each.toLocaleString('en')} memories of about ${length} words`)
line('building all indexes, the table read', `${(buildMs / 1000).toFixed(1)} s`)
line('index files together', megabytes(files.reduce((sum, size) => sum + size, 0)))
const before = process.memoryUsage().rss
const cold: number[] = []
for (let n = 0; n < 5; n += 1) cold.push((await searchIn(environment(), prompt())).ms)
line('first search of an environment', milliseconds(cold))
line('memory grown by five environments', megabytes(process.memoryUsage().rss - before))
const segments = await Promise.all(
  ids.map(async (id) => loadSegment(ctx, (await memoryIndexes.get(ctx, { workspaceId, id }))?.file ?? '')),
)
line('segments in memory', megabytes(segments.reduce((sum, segment) => sum + (segment ? weightOf(segment) : 0), 0)))
const warm = environment()
await searchIn(warm, prompt())
await report('nothing newer', warm)

const cost = async (name: string) => {
  let trips = ''
  const known = await Promise.all(
    ids.map(async (id) => ({
      collection: collectionOf(id, each),
      index: await memoryIndexes.get(ctx, { workspaceId, id }),
    })),
  )
  const { units } = await meter.during(async () => {
    const steps = await recorder.during(() => searchMemories(warm, known, prompt(), 5))
    trips = tripsOf(steps, 'search')
  })
  line(`read units, ${name}`, `${units.toFixed(1)} in ${trips.split(' | ').length} round trips`)
}
await cost('nothing newer')
await write(rowsOf(ids[0] ?? '', 500, Date.now()).map(memories.item))
line('first search with a tail of 500', `${(await searchIn(warm, prompt())).ms.toFixed(0)} ms`)
await report('a tail of 500', warm)
await cost('a tail of 500')

const peers = [...peerTexts.values()].map((texts) => {
  const peer = new MiniSearch({ fields: ['text'] })
  peer.addAll(texts)
  return JSON.stringify(peer)
})
const peerBefore = process.memoryUsage().rss
const loaded = await timed(async () => peers.map((json) => MiniSearch.loadJSON(json, { fields: ['text'] })))
line('MiniSearch: indexes as JSON', megabytes(peers.reduce((sum, json) => sum + json.length, 0)))
line(
  'MiniSearch: loading them',
  `${loaded.ms.toFixed(0)} ms, memory grown by ${megabytes(process.memoryUsage().rss - peerBefore)}`,
)
const ours = await timed(async () =>
  Promise.all(
    segments.map(async (_, n) =>
      loadSegment(environment(), (await memoryIndexes.get(ctx, { workspaceId, id: ids[n] ?? '' }))?.file ?? ''),
    ),
  ),
)
line('ours: fetching and loading the same', `${ours.ms.toFixed(0)} ms`)

direct.destroy()
await Promise.all([meter.close(), buckets.close(), database.close()])
