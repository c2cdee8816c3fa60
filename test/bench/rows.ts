import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import type { Context } from '../../shared/context.ts'
import { type Moves, moveCounts } from '../../shared/db/counters.ts'
import { type Item, transact } from '../../shared/db/table.ts'
import { drafts } from '../../shared/drafts/draft.ts'
import { ulid } from '../../shared/ids.ts'
import { assets } from '../../shared/media/asset.ts'
import { storageKeyOf } from '../../shared/media/reference.ts'
import { memories } from '../../shared/memory/memory.ts'
import { countNames } from '../../shared/posts/counts.ts'
import { neverClaimed, type PostStatus, posts } from '../../shared/posts/lifecycle/row.ts'
import { inLanes } from '../support/world/lanes.ts'

/** The target of rows that are written directly, because no test could create as many through the service. */
export interface FillTarget {
  ctx: Context
  client: DynamoDBClient
  workspaceId: string
  /** How far the times of posts lie apart, in milliseconds: a second by default. */
  spacingMs?: number
  /** Where memories are laid; who made it counts them on it. */
  collectionId: string
}

/** Of every hundred posts two are scheduled, two have failed, and the others are published; by ten accounts. */
export const statusOf = (n: number): PostStatus => (n % 50 === 0 ? 'scheduled' : n % 50 === 1 ? 'failed' : 'published')
export const accountOf = (n: number): string => `acc_${n % 10}`

const startMs = Date.UTC(2026, 0, 1)
/** Fields of every row: its position in the order of creation. */
const begin = ({ workspaceId }: FillTarget, n: number) => ({
  ulid: ulid(startMs + n * 1000),
  workspaceId,
  createdAt: new Date(startMs + n * 1000).toISOString(),
})

const text = (n: number, length: number) => `${n} and what people write about it. `.repeat(30).slice(0, length)

const makePost = (target: FillTarget, n: number) => {
  const { ulid: groupId, ...common } = begin(target, n)
  const scheduledAtMs = startMs + n * (target.spacingMs ?? 1_000)
  return posts.item({
    ...common,
    id: `${groupId}00`,
    groupId,
    socialAccountId: accountOf(n),
    platform: 'bluesky',
    status: statusOf(n),
    content: text(n, 500),
    media: [],
    scheduledAt: new Date(scheduledAtMs).toISOString(),
    scheduledAtMs,
    publishedPostUrl: null,
    error: null,
    version: 1,
    sequence: 1,
    ...neverClaimed,
  })
}

const makeAsset = (target: FillTarget, n: number) => {
  const { ulid: id, ...common } = begin(target, n)
  const storageKey = storageKeyOf(target.workspaceId, `med_${id}`, 'jpg')
  const file = { originalFilename: `picture ${n}.jpg`, mimeType: 'image/jpeg', fileSize: 1_000_000 + n, altText: null }
  return assets.item({ ...common, ...file, id: `med_${id}`, storageKey, width: 4000, height: 3000 })
}

const makeDraft = (target: FillTarget, n: number) => {
  const { ulid: id, ...common } = begin(target, n)
  const texts = { content: text(n, 600), name: `draft ${n}`, platformContent: { x: text(n, 200) } }
  return drafts.item({ ...common, ...texts, id: `drf_${id}`, version: 1, updatedAt: common.createdAt })
}

const makeMemory = (target: FillTarget, n: number) => {
  const { ulid: id, ...common } = begin(target, n)
  const { collectionId } = target
  return memories.item({ ...common, id: `mem_${id}`, collectionId, text: text(n, 500), createdBy: 'somebody' })
}

const makers = { posts: makePost, media: makeAsset, drafts: makeDraft, memories: makeMemory }
export type Kind = keyof typeof makers

const movesOf = (kind: Kind, count: number): { kind: string; moves: Moves } | undefined => {
  if (kind === 'media') return { kind: 'MEDIA', moves: new Map([['all', count]]) }
  if (kind === 'drafts') return { kind: 'DRAFT', moves: new Map([['all', count]]) }
  // Memories are counted on the row of their collection.
  if (kind === 'memories') return undefined
  const moves = new Map<string, number>()
  for (let n = 0; n < count; n += 1) {
    for (const name of countNames({ socialAccountId: accountOf(n) }, statusOf(n))) {
      moves.set(name, (moves.get(name) ?? 0) + 1)
    }
  }
  return { kind: 'POST', moves }
}

const perCall = 25

const write = async ({ client, ctx }: FillTarget, items: readonly Item[]) => {
  const puts = items.map((item) => ({ PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) } }))
  const RequestItems = { [ctx.env('TABLE_NAME')]: puts }
  const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems }))
  if (Object.keys(UnprocessedItems).length > 0) throw new Error('the table left rows unwritten')
}

/** Lays so many rows of a kind, with their counts; returns their ids, newest first. */
export const fill = async (target: FillTarget, kind: Kind, count: number): Promise<string[]> => {
  const ids: string[] = []
  const starts = Array.from({ length: Math.ceil(count / perCall) }, (_, n) => n * perCall)
  await inLanes(starts, 4, async (from) => {
    const length = Math.min(perCall, count - from)
    const items = Array.from({ length }, (_, n) => makers[kind](target, from + n))
    ids.push(...items.map((item) => String(item['SK'])))
    await write(target, items)
  })
  const counted = movesOf(kind, count)
  if (counted) await transact(target.ctx, () => moveCounts(target.workspaceId, counted.kind, counted.moves))
  return ids.sort().reverse()
}
