import type { Context } from '../../context.ts'
import { readCounts } from '../../db/counters.ts'
import { allOf, begins, below, type Condition, equal } from '../../db/expression.ts'
import { assertCursorOrOffset, isDeep, makePage, type PageRequest, readNewest } from '../../db/list.ts'
import { batchGet, type Item, query } from '../../db/table.ts'
import { type Post, type PostStatus, postStatuses, posts } from '../lifecycle/row.ts'
import { readTexts } from '../texts.ts'
import { viewPost } from './view.ts'

export interface PostFilter extends PageRequest {
  status?: PostStatus | undefined
  socialAccountId?: string | undefined
  groupId?: string | undefined
}

/** An ordered source of post ids: one partition of the table or of an index. */
interface Source {
  index?: 'account' | 'status'
  key: Condition
  /** Which posts of the partition to list; all if absent. */
  filter?: Condition
  /** The key condition of the same source below an id. */
  keyBelow: (id: string) => Condition
}

const keyOf = (workspaceId: string, id = '') => posts.key({ workspaceId, id })
const idOf = (item: Item) => String(item['SK'])

const everyPost = (workspaceId: string): Source => {
  const partition = equal('PK', keyOf(workspaceId).PK)
  return { key: partition, keyBelow: (id) => allOf(partition, below('SK', id)) }
}

const byStatus = (workspaceId: string, status: PostStatus): Source => {
  const partition = equal('statusKey', `WS#${workspaceId}#S#${status}`)
  return { index: 'status', key: partition, keyBelow: (id) => allOf(partition, below('id', id)) }
}

const byAccount = (workspaceId: string, accountId: string, status: PostStatus | undefined): Source => {
  const partition = equal('accountKey', `WS#${workspaceId}#A#${accountId}`)
  return {
    index: 'account',
    key: partition,
    ...(status ? { filter: equal('status', status) } : {}),
    keyBelow: (id) => allOf(partition, below('id', id)),
  }
}

const sourcesOf = (workspaceId: string, filter: PostFilter): Source[] => {
  const { status, socialAccountId } = filter
  if (socialAccountId !== undefined) return [byAccount(workspaceId, socialAccountId, status)]
  if (status) return [byStatus(workspaceId, status)]
  // Entries of an index are a tenth of the size of posts: for deep pages they are cheaper.
  return isDeep(filter) ? postStatuses.map((one) => byStatus(workspaceId, one)) : [everyPost(workspaceId)]
}

const inGroup = async (ctx: Context, workspaceId: string, filter: PostFilter, groupId: string): Promise<Post[]> => {
  const key = allOf(equal('PK', keyOf(workspaceId).PK), begins('SK', groupId))
  const page = await query(ctx, { key, newestFirst: true })
  return page.items
    .map(posts.parse)
    .filter(
      (post) =>
        post.groupId === groupId &&
        (filter.status === undefined || post.status === filter.status) &&
        (filter.socialAccountId === undefined || post.socialAccountId === filter.socialAccountId),
    )
}

const countName = ({ status, socialAccountId }: PostFilter) => {
  if (socialAccountId !== undefined) return status ? `as:${socialAccountId}:${status}` : `a:${socialAccountId}`
  return status ? `s:${status}` : 'all'
}

const pageOfGroup = async (ctx: Context, workspaceId: string, filter: PostFilter, groupId: string) => {
  const { cursor, offset, limit } = filter
  const matching = await inGroup(ctx, workspaceId, filter, groupId)
  const rest = cursor === undefined ? matching.slice(offset) : matching.filter(({ id }) => id < cursor)
  return { rows: rest.slice(0, limit), total: matching.length, hasMore: rest.length > limit }
}

/** An index has no whole rows; they are fetched in one read. */
const wholeRows = async (ctx: Context, workspaceId: string, items: readonly Item[]): Promise<Post[]> => {
  const keys = items.map((item) => keyOf(workspaceId, idOf(item)))
  const found = await batchGet(ctx, keys)
  return keys.flatMap((key) => posts.from(found, { workspaceId, id: key.SK }) ?? [])
}

/** The newest ids of all sources together after the skipped ones, up to a number. */
const mergeNewest = async (ctx: Context, filter: PostFilter, sources: readonly Source[], count: number) => {
  const { cursor, offset } = filter
  const asked = sources.map(({ index, key, filter: only, keyBelow }) => ({
    ...(index ? { index, only: 'SK' as const } : {}),
    key: cursor === undefined ? key : keyBelow(cursor),
    filter: only,
  }))
  const [single] = asked
  if (single && asked.length === 1) return readNewest(ctx, single, count, offset)
  const streams = await Promise.all(asked.map((source) => readNewest(ctx, source, offset + count)))
  // A post whose status is changing can be in two sources.
  return [...new Set(streams.flat().map(idOf))]
    .sort()
    .reverse()
    .slice(offset, offset + count)
    .map((SK): Item => ({ SK }))
}

const pageOfSources = async (ctx: Context, workspaceId: string, filter: PostFilter) => {
  const { limit, offset } = filter
  const sources = sourcesOf(workspaceId, filter)
  const total = readCounts(ctx, workspaceId, 'POST').then((counts) => counts(countName(filter)))
  const read = async () => {
    // After the last post there is nothing to read.
    if (isDeep(filter) && (await total) <= offset) return []
    return mergeNewest(ctx, filter, sources, limit + 1)
  }
  const [count, items] = await Promise.all([total, read()])
  const shown = items.slice(0, limit)
  const rows = sources.some((source) => source.index)
    ? await wholeRows(ctx, workspaceId, shown)
    : shown.map(posts.parse)
  return { rows, total: count, hasMore: items.length > limit }
}

/** A page of posts, newest first, with the exact total; filtered lists are eventually consistent. */
export const listPosts = async (ctx: Context, workspaceId: string, filter: PostFilter) => {
  assertCursorOrOffset(filter)
  const { rows, total, hasMore } =
    filter.groupId === undefined
      ? await pageOfSources(ctx, workspaceId, filter)
      : await pageOfGroup(ctx, workspaceId, filter, filter.groupId)
  const textOf = await readTexts(ctx, rows)
  return makePage(filter, total, rows, hasMore, (post) => viewPost(post, textOf(post)))
}
