import type { Context } from '../context.ts'
import { readCounts } from '../db/counters.ts'
import { all, begins, below, type Condition, equal } from '../db/expression.ts'
import { batchGet, type Item, query } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { readBodies } from './body.ts'
import { type Post, type PostStatus, type PostView, postStatuses, posts, viewPost } from './post.ts'

export interface PostFilter {
  status?: PostStatus | undefined
  socialAccountId?: string | undefined
  groupId?: string | undefined
  limit: number
  offset: number
  /** The id after which the page begins; takes the place of `offset`. */
  cursor?: string | undefined
}

/** A sorted source of post ids, newest first: one partition of the table or of an index. */
interface Source {
  index?: 'account' | 'status'
  key: Condition
  /** The same source from below an id on. */
  keyBelow: (id: string) => Condition
}

const keyOf = (workspaceId: string, id = '') => posts.key({ workspaceId, id })
const idOf = (item: Item) => String(item['SK'])

const everyPost = (workspaceId: string): Source => {
  const partition = equal('PK', keyOf(workspaceId).PK)
  return { key: partition, keyBelow: (id) => all(partition, below('SK', id)) }
}

const byStatus = (workspaceId: string, status: PostStatus): Source => {
  const partition = equal('statusKey', `WS#${workspaceId}#S#${status}`)
  return { index: 'status', key: partition, keyBelow: (id) => all(partition, below('id', id)) }
}

const byAccount = (workspaceId: string, accountId: string, status: PostStatus): Source => {
  const partition = equal('accountKey', `WS#${workspaceId}#A#${accountId}`)
  return {
    index: 'account',
    key: all(partition, begins('accountSort', `${status}#`)),
    keyBelow: (id) =>
      all(partition, { is: 'between', name: 'accountSort', value: `${status}#`, to: `${status}#${id}` }),
  }
}

const sourcesOf = (workspaceId: string, filter: PostFilter): Source[] => {
  const { status, socialAccountId } = filter
  if (socialAccountId !== undefined) {
    return (status ? [status] : postStatuses).map((one) => byAccount(workspaceId, socialAccountId, one))
  }
  return [status ? byStatus(workspaceId, status) : everyPost(workspaceId)]
}

/** The newest `count` items of a source, as many calls as the pages need. */
const newest = async (ctx: Context, source: Source, count: number, cursor: string | undefined): Promise<Item[]> => {
  const items: Item[] = []
  let after: Item | undefined
  do {
    const page = await query(ctx, {
      ...(source.index ? { index: source.index } : {}),
      key: cursor === undefined ? source.key : source.keyBelow(cursor),
      newestFirst: true,
      limit: count - items.length,
      ...(after ? { after } : {}),
    })
    items.push(...page.items.filter((item) => idOf(item) !== cursor))
    after = page.next
  } while (after !== undefined && items.length < count)
  return items
}

const inGroup = async (ctx: Context, workspaceId: string, filter: PostFilter, groupId: string): Promise<Post[]> => {
  const key = all(equal('PK', keyOf(workspaceId).PK), begins('SK', groupId))
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

export interface PostPage {
  items: PostView[]
  total: number
  limit: number
  offset: number
  hasMore: boolean
  nextCursor?: string
}

const pageOfGroup = async (ctx: Context, workspaceId: string, filter: PostFilter, groupId: string) => {
  const matching = await inGroup(ctx, workspaceId, filter, groupId)
  const from = filter.cursor === undefined ? filter.offset : matching.findIndex(({ id }) => id === filter.cursor) + 1
  return {
    rows: matching.slice(from, from + filter.limit),
    total: matching.length,
    more: matching.length > from + filter.limit,
  }
}

/** An index shows keys only; the rows behind them come in one read. */
const wholeRows = async (ctx: Context, workspaceId: string, items: readonly Item[]): Promise<Post[]> => {
  const keys = items.map((item) => keyOf(workspaceId, idOf(item)))
  const found = await batchGet(ctx, keys)
  return keys.flatMap((key) => posts.from(found, { workspaceId, id: key.SK }) ?? [])
}

const pageOfSources = async (ctx: Context, workspaceId: string, filter: PostFilter) => {
  const skip = filter.cursor === undefined ? filter.offset : 0
  const wanted = skip + filter.limit + 1
  const sources = sourcesOf(workspaceId, filter)
  const [counts, ...streams] = await Promise.all([
    readCounts(ctx, workspaceId, 'POST'),
    ...sources.map((source) => newest(ctx, source, wanted, filter.cursor)),
  ])
  const items = streams
    .flat()
    .sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1))
    .slice(skip, wanted)
  const shown = items.slice(0, filter.limit)
  const rows = sources.some((source) => source.index)
    ? await wholeRows(ctx, workspaceId, shown)
    : shown.map(posts.parse)
  return { rows, total: Math.max(0, counts(countName(filter))), more: items.length > filter.limit }
}

/** A page of posts, newest first, with the exact total; filtered lists are eventually consistent. */
export const listPosts = async (ctx: Context, workspaceId: string, filter: PostFilter): Promise<PostPage> => {
  if (filter.cursor !== undefined && filter.offset > 0) {
    throw new Refusal('invalid', '"cursor" and "offset" exclude each other: send one of them.', { field: 'cursor' })
  }
  const { rows, total, more } =
    filter.groupId === undefined
      ? await pageOfSources(ctx, workspaceId, filter)
      : await pageOfGroup(ctx, workspaceId, filter, filter.groupId)
  const textOf = await readBodies(ctx, rows)
  const last = rows.at(-1)
  return {
    items: rows.map((post) => viewPost(post, textOf(post))),
    total,
    limit: filter.limit,
    offset: filter.offset,
    hasMore: more,
    ...(more && last ? { nextCursor: last.id } : {}),
  }
}
