import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../functions/client.ts'
import { equal } from '../../shared/db/expression.ts'
import { update } from '../../shared/db/table.ts'
import { collections } from '../../shared/memory/collection.ts'
import { accountOf, fill, type Kind, statusOf } from '../bench/rows.ts'
import { type Kit, start } from '../support/start.ts'
import { channelId } from '../support/world/preparations.ts'
import { makeStepRecorder, tripsOf } from '../support/world/round-trips.ts'

// Of twenty rows each account has a few in the commonest status.
const [few, many] = [20, 2_000]
const recorder = makeStepRecorder()
let kit: Kit

/** A workspace with so many rows of every kind. */
interface Library {
  api: Client
  collectionId: string
  /** The ids of each kind, newest first. */
  ids: Readonly<Record<Kind, readonly string[]>>
}
const libraries: Library[] = []

const openWorkspace = async () => {
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name: 'Library', timezone: 'UTC' } })
  return { workspaceId, api: client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId }) }
}

const stock = async (rows: number): Promise<Library> => {
  const { workspaceId, api } = await openWorkspace()
  const { id: collectionId } = await api.memory.createCollection({ body: { name: 'All' } })
  const target = { ctx: kit.ctx, client: new DynamoDBClient({}), workspaceId, collectionId }
  const [posts, media, drafts, memories] = [
    await fill(target, 'posts', rows),
    await fill(target, 'media', rows),
    await fill(target, 'drafts', rows),
    await fill(target, 'memories', rows),
  ]
  const counted = { set: { memoryCount: rows } }
  await update(kit.ctx, collections.key({ workspaceId, id: collectionId }), counted, equal('memoryCount', 0))
  return { api, collectionId, ids: { posts, media, drafts, memories } }
}

beforeAll(async () => {
  kit = await start({ observe: recorder.observe })
  for (const rows of [few, many]) libraries.push(await stock(rows))
}, 120_000)
afterAll(() => kit.close())

const library = (n: 0 | 1): Library => {
  const current = libraries[n]
  if (current === undefined) throw new Error('the library is not there')
  return current
}

type Page = Awaited<ReturnType<Client['posts']['list']>> | Awaited<ReturnType<Client['drafts']['list']>>
type ListQuery = Readonly<Record<string, string | number>>

interface List {
  operation: string
  read(
    library: Library,
    listQuery: ListQuery,
  ): Promise<Pick<Page, 'total' | 'hasMore' | 'nextCursor'> & { items: { id: string }[] }>
  /** The ids that it holds, newest first. */
  holds(library: Library): readonly string[]
}

/** The posts for which something holds; they were made in the order of their numbers. */
const postsWhere = ({ ids: { posts } }: Library, holds: (n: number) => boolean) =>
  posts.filter((_, index) => holds(posts.length - 1 - index))

const account = { socialAccountId: accountOf(0) }
const isOfAccount = (n: number) => accountOf(n) === account.socialAccountId
const ofPosts = (query: ListQuery, holds: (n: number) => boolean): List => ({
  operation: 'posts-list',
  read: ({ api }, listQuery) => api.posts.list({ query: { ...query, ...listQuery } }),
  holds: (from) => postsWhere(from, holds),
})

const lists: readonly (readonly [string, List])[] = [
  ['posts', ofPosts({}, () => true)],
  ['posts in a status', ofPosts({ status: 'published' }, (n) => statusOf(n) === 'published')],
  ['posts of an account', ofPosts(account, isOfAccount)],
  [
    'posts of an account in a status',
    ofPosts({ ...account, status: 'published' }, (n) => isOfAccount(n) && statusOf(n) === 'published'),
  ],
  [
    'media',
    { operation: 'media-list', read: ({ api }, query) => api.media.list({ query }), holds: ({ ids }) => ids.media },
  ],
  [
    'drafts',
    { operation: 'drafts-list', read: ({ api }, query) => api.drafts.list({ query }), holds: ({ ids }) => ids.drafts },
  ],
  [
    'memories',
    {
      operation: 'memory-list',
      read: ({ api, collectionId }, listQuery) => api.memory.list({ query: { collectionId, ...listQuery } }),
      holds: ({ ids }) => ids.memories,
    },
  ],
]

const tripsFor = async (list: List, from: Library, listQuery: ListQuery) =>
  tripsOf(await recorder.during(() => list.read(from, listQuery)), list.operation)

test.each(lists)('the first page of %s costs the same round trips with 20 rows and with 2,000', async (_, list) => {
  const [short, long] = [await tripsFor(list, library(0), { limit: 5 }), await tripsFor(list, library(1), { limit: 5 })]
  expect(long).toBe(short)
  expect(long.split(' | ').length).toBeLessThanOrEqual(3)
  // So does one behind a cursor, however far it lies.
  const cursor = list.holds(library(1)).at(-6) ?? ''
  expect(await tripsFor(list, library(1), { limit: 5, cursor })).toBe(short)
})

/** Around the ends, and around the position from which an offset is counted instead of read. */
const offsets = fc.oneof(
  fc.constantFrom(0, 1, 199, 200, 201, 202, many - 1, many, many + 1, 1_000_000_000),
  fc.integer({ min: 0, max: many }),
)
const limits = fc.oneof(fc.constantFrom(1, 2, 50, 200), fc.integer({ min: 1, max: 200 }))

test.each(lists)('every page of %s matches the rows', async (_, list) => {
  const all = list.holds(library(1))
  expect(all.length).toBeGreaterThan(100)
  const expected = (from: number, limit: number) => {
    const ids = all.slice(from, from + limit)
    const hasMore = from + limit < all.length
    return { ids, total: all.length, hasMore, nextCursor: hasMore ? ids.at(-1) : undefined }
  }
  const shown = async (listQuery: ListQuery) => {
    const { items, total, hasMore, nextCursor } = await list.read(library(1), listQuery)
    return { ids: items.map(({ id }) => id), total, hasMore, nextCursor }
  }
  const holds = fc.asyncProperty(offsets, limits, async (offset, limit) => {
    expect(await shown({ limit, offset })).toEqual(expected(offset, limit))
    const cursor = all[offset]
    if (cursor === undefined) return
    expect(await shown({ limit, cursor })).toEqual(expected(offset + 1, limit))
    // A cursor is a position: no row needs to exist there.
    const gone = `${cursor.slice(0, -2)}ZZ`
    expect(await shown({ limit, cursor: gone })).toEqual(expected(gone === cursor ? offset + 1 : offset, limit))
  })
  await fc.assert(holds, { numRuns: 8 })
})

test.each(lists)('%s reject a malformed cursor and a cursor with an offset', async (_, list) => {
  const [cursor = ''] = list.holds(library(0))
  for (const listQuery of [
    { cursor: 'x' },
    { cursor: `${cursor}0` },
    { cursor: cursor.slice(1) },
    { cursor, offset: 1 },
  ]) {
    await expect(list.read(library(0), listQuery)).rejects.toMatchObject({ status: 400, body: { field: 'cursor' } })
  }
  expect(await list.read(library(0), { cursor, offset: 0 })).toMatchObject({ total: list.holds(library(0)).length })
})

test('a page of a group starts after its cursor, even when that post was deleted', async () => {
  const { api, accounts, clock } = kit
  const scheduledAt = new Date(clock.now() + 3_600_000).toISOString()
  const body = {
    socialAccountIds: [accounts.bluesky, accounts.discord],
    content: 'x',
    scheduledAt,
    metadata: { discord: { channelId } },
  }
  const [first, second] = await api.posts.schedule({ body })
  const [groupId, cursor] = [first?.groupId ?? '', second?.id ?? '']
  const behind = { items: [{ id: first?.id }], hasMore: false }
  expect(await api.posts.list({ query: { groupId, limit: 1 } })).toMatchObject({ total: 2, nextCursor: cursor })
  expect(await api.posts.list({ query: { groupId, cursor } })).toMatchObject({ ...behind, total: 2 })
  await api.posts.delete({ params: { id: cursor } })
  expect(await api.posts.list({ query: { groupId, cursor } })).toMatchObject({ ...behind, total: 1 })
})

test('totals are exact during concurrent creates and deletes', async () => {
  const steps = fc.array(fc.array(fc.constantFrom('make', 'make', 'delete', 'delete twice'), { maxLength: 8 }), {
    minLength: 2,
    maxLength: 4,
  })
  const holds = fc.asyncProperty(steps, async (rounds) => {
    const { api } = await openWorkspace()
    let live: string[] = []
    for (const round of rounds) {
      const doomed = live.slice(0, round.filter((step) => step !== 'make').length)
      const made = round.filter((step) => step === 'make').map(() => api.drafts.create({ body: { content: 'x' } }))
      const twice = round.filter((step) => step === 'delete twice').length
      const deleted = [...doomed, ...doomed.slice(0, twice)].map((id) => api.drafts.delete({ params: { id } }))
      const [born, died] = await Promise.all([Promise.all(made), Promise.allSettled(deleted)])
      expect(died.filter(({ status }) => status === 'fulfilled')).toHaveLength(doomed.length)
      live = [...live.filter((id) => !doomed.includes(id)), ...born.map(({ id }) => id)]
      const { items, total } = await api.drafts.list({ query: { limit: 200 } })
      expect({ ids: items.map(({ id }) => id), total }).toEqual({ ids: live.toSorted().reverse(), total: live.length })
    }
  })
  await fc.assert(holds, { numRuns: 5 })
})
