import { join } from 'node:path'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { setProcessEnvironment } from '../../infra/local/service/environment.ts'
import { readStacks } from '../../infra/local/template/stack.ts'
import { drawBlueprint } from '../../infra/local/template.ts'
import { type Context, makeContext } from '../../shared/context.ts'
import { readCounts } from '../../shared/db/counters.ts'
import type { PageRequest } from '../../shared/db/list.ts'
import { listDrafts } from '../../shared/drafts/list.ts'
import { listAssets } from '../../shared/media/list.ts'
import { listMemories } from '../../shared/memory/list-memories.ts'
import { listPosts } from '../../shared/posts/reading/list.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { type DynamoDb, startDynamoDb } from '../support/dynamodb.ts'
import { makeStepRecorder, tripsOf } from '../support/world/round-trips.ts'
import { startMeter } from './capacity.ts'
import { accountOf, fill, type Kind } from './rows.ts'

/**
 * What a page of each list costs at several sizes: read units as the table counts them, round trips behind each other,
 * and kilobytes that travel. The read that authorizes a call comes on top. Numbers as arguments choose the sizes.
 * DynamoDB Local ends a page of an index after 1 MB of whole rows; on AWS it is 1 MB of entries, an eighth of that: far
 * behind, filtered lists and those of all posts take fewer round trips there.
 */
const given = process.argv.slice(2).map(Number).filter(Number.isInteger)
const sizes = given.length > 0 ? given : [100, 10_000, 100_000]

interface List {
  name: string
  kind: Kind
  read(ctx: Context, workspaceId: string, page: PageRequest, rows: number): Promise<{ items: unknown[]; total: number }>
}

const ofPosts = (name: string, filter: { status?: 'published' | 'scheduled'; socialAccountId?: string }): List => ({
  name,
  kind: 'posts',
  read: async (ctx, workspaceId, page) => {
    const counts = await readCounts(ctx, workspaceId, 'POST')
    return listPosts(ctx, workspaceId, { sort: 'createdAt', order: 'desc', ...filter, ...page }, counts)
  },
})

const collectionId = 'col_filled'
const account = { socialAccountId: accountOf(0) }
const lists: readonly List[] = [
  ofPosts('posts', {}),
  ofPosts('posts, published', { status: 'published' }),
  ofPosts('posts, scheduled', { status: 'scheduled' }),
  ofPosts('posts of an account', account),
  ofPosts('posts of an account, published', { ...account, status: 'published' }),
  { name: 'media', kind: 'media', read: (ctx, workspaceId, page) => listAssets(ctx, workspaceId, page) },
  { name: 'drafts', kind: 'drafts', read: (ctx, workspaceId, page) => listDrafts(ctx, workspaceId, page) },
  {
    name: 'memories of a collection',
    kind: 'memories',
    read: (ctx, workspaceId, page, memoryCount) => {
      const at = { createdBy: 'somebody', createdAt: '', updatedAt: '' }
      const collection = { ...at, id: collectionId, workspaceId, name: 'c', color: null, isPrivate: false, memoryCount }
      return listMemories(ctx, collection, page)
    },
  },
]

const database: DynamoDb = await startDynamoDb()
const meter = await startMeter(database.endpoint)
setProcessEnvironment({
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: meter.endpoint,
})
const recorder = makeStepRecorder()

/** The deployed table. */
const makeTable = async (client: DynamoDBClient): Promise<string> => {
  const stacks = readStacks(join(await synthesizeOnce(), 'assembly'))
  const [table] = drawBlueprint(stacks).tables
  if (table === undefined) throw new Error('the templates have no table')
  const { TimeToLiveSpecification: _, ...plan } = table
  await client.send(new CreateTableCommand({ ...plan, BillingMode: 'PAY_PER_REQUEST' }))
  return plan.TableName
}

const line = (...cells: readonly (string | number)[]) =>
  cells.map((cell, n) => (n < 2 ? String(cell).padEnd(n === 0 ? 32 : 26) : String(cell).padStart(12))).join('')

const measure = async (ctx: Context, workspaceId: string, list: List, rows: number, ids: readonly string[]) => {
  const cost = async (name: string, page: PageRequest) => {
    let trips = ''
    const { result, units, bytes } = await meter.during(async () => {
      let answer: Awaited<ReturnType<List['read']>> | undefined
      const steps = await recorder.during(async () => {
        answer = await list.read(ctx, workspaceId, page, rows)
      })
      trips = tripsOf(steps, 'list')
      return answer
    })
    const depth = trips.split(' | ').length
    const shown = `${result?.items.length ?? 0} of ${result?.total ?? 0}`
    console.log(line(list.name, name, shown, units.toFixed(1), depth, Math.ceil(bytes / 1024)))
    return result?.total ?? 0
  }
  const total = await cost('first 50', { limit: 50, offset: 0 })
  await cost('first 200', { limit: 200, offset: 0 })
  const middle = Math.floor(total / 2)
  await cost(`offset ${middle}`, { limit: 50, offset: middle })
  await cost('cursor in the middle', { limit: 50, offset: 0, cursor: ids[Math.floor(ids.length / 2)] })
  const end = Math.max(0, total - 50)
  await cost(`offset ${end}`, { limit: 50, offset: end })
  await cost('cursor near the end', { limit: 50, offset: 0, cursor: ids.at(-51) })
}

const client = new DynamoDBClient({ endpoint: database.endpoint })
try {
  const TABLE_NAME = await makeTable(client)
  const observe: Context['observe'] = (effect, run) => recorder.observe({ ...effect, functionName: 'list' }, run)
  const ctx = makeContext({ TABLE_NAME, MEDIA_URL: 'https://media.invalid' }, { observe })
  console.log(line('list', 'page', 'rows', 'read units', 'round trips', 'KB'))
  for (const rows of sizes) {
    console.log(`\n${rows.toLocaleString('en')} rows of each kind`)
    const workspaceId = `ws_${rows}`
    const laid = new Map<Kind, string[]>()
    for (const list of lists) {
      const ids = laid.get(list.kind) ?? (await fill({ ctx, client, workspaceId, collectionId }, list.kind, rows))
      laid.set(list.kind, ids)
      await measure(ctx, workspaceId, list, rows, ids)
    }
  }
} finally {
  meter.close()
  await database.close()
}
