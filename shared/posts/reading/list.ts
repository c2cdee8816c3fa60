import type { Context } from '../../context.ts'
import type { Counts } from '../../db/counters.ts'
import { allOf, begins, below, type Condition, equal } from '../../db/expression.ts'
import { fitting, isDeep, readNewest } from '../../db/list.ts'
import { batchGet, type Item, query } from '../../db/table.ts'
import { listAccounts } from '../../social-accounts/find.ts'
import { countsByAccount } from '../counts.ts'
import { accountKeyOf, isInStatusIndex, type PostStatus, posts, statusKeyOf } from '../lifecycle/row.ts'
import { readTexts } from '../texts.ts'
import { assertCombined, isCounted, isPlain, type ListPostsQuery, type PostFilter } from './list-query.ts'
import { type Match, matching } from './matches.ts'
import { positionOf } from './position.ts'
import { viewPost } from './view.ts'
import { behindCursor, walk } from './walk.ts'

/** An ordered source of post ids: one partition of the table or of an index. */
interface Source {
  index?: 'account' | 'status'
  key: Condition
  /** Which posts of the partition to list; all if absent. */
  filter?: Condition
  /** The most posts of a source; a source with a filter ends after them. */
  max?: number
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
  const partition = equal('statusKey', statusKeyOf(workspaceId, status))
  return { index: 'status', key: partition, keyBelow: (id) => allOf(partition, below('id', id)) }
}

const byAccount = (workspaceId: string, socialAccountId: string, status: PostStatus | undefined): Source => {
  const partition = equal('accountKey', accountKeyOf({ workspaceId, socialAccountId }))
  return {
    index: 'account',
    key: partition,
    ...(status ? { filter: equal('status', status) } : {}),
    keyBelow: (id) => allOf(partition, below('id', id)),
  }
}

const sourcesOf = (workspaceId: string, filter: PostFilter, counts: Counts): Source[] => {
  const { status, socialAccountId, accountIds } = filter
  if (socialAccountId !== undefined) return [byAccount(workspaceId, socialAccountId, status)]
  if (accountIds !== undefined) {
    const max = countsByAccount(counts, status)
    return accountIds.flatMap((id) => {
      const count = max.get(id)
      return count === undefined ? [] : [{ ...byAccount(workspaceId, id, status), max: count }]
    })
  }
  if (status !== undefined && isInStatusIndex(status)) return [byStatus(workspaceId, status)]
  // Entries of an index are a fifth of the size of posts: for deep pages they are cheaper.
  if (status === undefined && !isDeep(filter)) return [everyPost(workspaceId)]
  const accounts = countsByAccount(counts, status)
  return [...accounts].map(([id, max]) => ({ ...byAccount(workspaceId, id, status), max }))
}

const countName = ({ status, socialAccountId }: Pick<PostFilter, 'status' | 'socialAccountId'>) => {
  if (socialAccountId !== undefined) return status ? `as:${socialAccountId}:${status}` : `a:${socialAccountId}`
  return status ? `s:${status}` : 'all'
}

/** How many posts match a counted filter. */
const totalOf = ({ status, socialAccountId, accountIds }: PostFilter, counts: Counts): number =>
  accountIds === undefined
    ? counts(countName({ status, socialAccountId }))
    : accountIds.reduce((sum, id) => sum + counts(countName({ status, socialAccountId: id })), 0)

/** An index has no complete rows; they are fetched in one read. */
const wholeRows = async (ctx: Context, workspaceId: string, items: readonly Item[]): Promise<Item[]> => {
  const keys = items.map((item) => keyOf(workspaceId, idOf(item)))
  const rows = await batchGet(ctx, keys)
  return keys.map((key) => rows.item(key)).filter((item) => item !== undefined)
}

/** The newest ids of all sources together after the skipped ones, up to a number. */
const mergeNewest = async (ctx: Context, filter: PostFilter, sources: readonly Source[], count: number) => {
  const { cursor, offset } = filter
  const queries = sources.map(({ index, key, filter: only, max = Number.POSITIVE_INFINITY, keyBelow }) => ({
    max,
    ...(index ? { index, only: 'SK' } : {}),
    key: cursor === undefined ? key : keyBelow(cursor),
    filter: only,
  }))
  const [single] = queries
  if (single && queries.length === 1) {
    const { max, ...source } = single
    return readNewest(ctx, source, Math.min(count, max - offset), offset)
  }
  const streams = await Promise.all(
    queries.map(({ max, ...source }) => readNewest(ctx, source, Math.min(offset + count, max))),
  )
  const ids = streams.flat().map(idOf)
  return ids
    .sort()
    .reverse()
    .slice(offset, offset + count)
    .map((SK): Item => ({ SK }))
}

const pageOfSources = async (ctx: Context, workspaceId: string, filter: PostFilter, counts: Counts) => {
  const { limit, offset } = filter
  const total = totalOf(filter, counts)
  const sources = sourcesOf(workspaceId, filter, counts)
  // After the last post there is nothing to read.
  const isBehind = isDeep(filter) && total <= offset
  const items = isBehind ? [] : await mergeNewest(ctx, filter, sources, limit + 1)
  const shown = items.slice(0, limit)
  const whole = sources.some((source) => source.index) ? await wholeRows(ctx, workspaceId, shown) : shown
  const rows = posts.readable(ctx, whole)
  const hasMore = items.length > limit
  const last = shown.at(-1)
  return {
    matches: rows.map((post): Match => ({ post })),
    total,
    hasMore,
    readTo: hasMore && last ? idOf(last) : undefined,
    unreadable: whole.length - rows.length,
  }
}

/** The posts of one request: they are adjacent, and few. */
const pageOfGroup = async (ctx: Context, workspaceId: string, filter: PostFilter, groupId: string) => {
  const { cursor, offset, limit } = filter
  const key = allOf(equal('PK', keyOf(workspaceId).PK), begins('SK', groupId))
  const { items } = await query(ctx, { key, newestFirst: true })
  const rows = posts.readable(ctx, items)
  const { matches } = await matching(ctx, rows, filter)
  const rest = behindCursor(matches, filter).slice(cursor === undefined ? offset : 0)
  const hasMore = rest.length > limit
  const unreadable = items.length - rows.length
  return { matches: rest.slice(0, limit), total: matches.length + unreadable, hasMore, readTo: undefined, unreadable }
}

/**
 * Decided: the matches of a filter without a count are known only as far as the list was read. `total` is exact if the first
 * page has all of it.
 */
const pageOfWalk = async (ctx: Context, workspaceId: string, filter: PostFilter, counts: Counts) => {
  const { limit, cursor } = filter
  const { matches, readTo, unreadable } = await walk(ctx, workspaceId, filter)
  const isMoreKnown = matches.length > limit
  return {
    matches: matches.slice(0, limit),
    total: isCounted(filter) ? totalOf(filter, counts) : matches.length,
    hasMore: isMoreKnown || readTo !== undefined,
    totalIsExact: isCounted(filter) || (cursor === undefined && readTo === undefined),
    readTo: isMoreKnown ? undefined : readTo,
    unreadable,
  }
}

/** The filter with the accounts of a customer; undefined if no account can have matching posts. */
const withAccounts = async (
  ctx: Context,
  workspaceId: string,
  query: ListPostsQuery,
): Promise<PostFilter | undefined> => {
  const { accountExternalId, socialAccountId } = query
  if (accountExternalId === undefined) return query
  const accounts = await listAccounts(ctx, workspaceId)
  const ids = accounts
    .filter(({ id, integratorId }) => integratorId === accountExternalId && id === (socialAccountId ?? id))
    .map(({ id }) => id)
  if (ids.length === 0) return undefined
  return ids.length === 1 ? { ...query, socialAccountId: ids[0] } : { ...query, accountIds: ids }
}

const none = {
  matches: [],
  total: 0,
  totalIsExact: true,
  hasMore: false,
  readTo: undefined,
  unreadable: 0,
} satisfies Awaited<ReturnType<typeof read>>

const read = async (ctx: Context, workspaceId: string, filter: PostFilter, counts: Counts) => {
  if (filter.groupId !== undefined) {
    return { ...(await pageOfGroup(ctx, workspaceId, filter, filter.groupId)), totalIsExact: true }
  }
  if (isPlain(filter)) return { ...(await pageOfSources(ctx, workspaceId, filter, counts)), totalIsExact: true }
  return pageOfWalk(ctx, workspaceId, filter, counts)
}

/** A page of posts; filtered lists are eventually consistent. `counts`: those of the workspace's posts, read with the request. */
export const listPosts = async (ctx: Context, workspaceId: string, query: ListPostsQuery, counts: Counts) => {
  assertCombined(query)
  const filter = await withAccounts(ctx, workspaceId, query)
  const { matches, total, totalIsExact, hasMore, readTo, unreadable } =
    filter === undefined ? none : await read(ctx, workspaceId, filter, counts)
  const textOf = await readTexts(
    ctx,
    matches.flatMap(({ post, content }) => (content === undefined ? [post] : [])),
  )
  const items = fitting(matches.map(({ post, content }) => viewPost(post, content ?? textOf(post))))
  const isCut = items.length < matches.length
  const last = matches[items.length - 1]
  const nextCursor = (isCut ? undefined : readTo) ?? (last && positionOf(last.post, query.sort))
  const isLonger = isCut || hasMore
  return {
    items,
    // A count is a sum of changes, and can be read in the middle of one.
    total: Math.max(0, total),
    totalIsExact,
    limit: query.limit,
    offset: query.offset,
    hasMore: isLonger,
    ...(isLonger && nextCursor !== undefined ? { nextCursor } : {}),
    ...(unreadable > 0 ? { unreadable } : {}),
  }
}
