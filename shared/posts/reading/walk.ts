import type { Context } from '../../context.ts'
import { above, allOf, below, between, equal } from '../../db/expression.ts'
import { batchGet, type Item, type Page, type QueryRequest, query } from '../../db/table.ts'
import { accountKeyOf, externalKey, isInStatusIndex, type Post, posts, statusKeyOf } from '../lifecycle/row.ts'
import type { PostFilter } from './list-query.ts'
import { type Match, matching } from './matches.ts'
import { isBehind, positionOf, readPosition } from './position.ts'

/** The most rows that one request reads in search of matches; `nextCursor` continues after them. */
const maxRows = 1000
/** How many of them a query reads. A query also ends after 1 MB. */
const rowsPerQuery = 250
const maxQueries = 12
/** The texts of posts are long: fewer at a time, and no more characters than these. */
const textsPerQuery = 100
const maxCharacters = 4_000_000

type Path = Pick<QueryRequest, 'index' | 'key'> & { after?: Item }

const isoOf = (ms: number) => new Date(Math.min(Math.max(ms, 0), Date.UTC(9999, 11, 31, 23, 59, 59, 999))).toISOString()

/** The posts of a time range, in order of time; undefined if the cursor is after all of them. */
const byTime = (PK: string, { from, to, cursor, order }: PostFilter): Path | undefined => {
  const [first, last] = [
    isoOf(from === undefined ? 0 : Date.parse(from)),
    isoOf(to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) - 1),
  ]
  if (first > last) return undefined
  const path: Path = { index: 'time', key: allOf(equal('PK', PK), between('scheduledAt', first, last)) }
  if (cursor === undefined) return path
  const { id, ms } = readPosition(cursor)
  const at = isoOf(ms)
  if (at >= first && at <= last) return { ...path, after: { PK, SK: id, scheduledAt: at } }
  return at < first === (order === 'asc') ? path : undefined
}

/** Posts in the order of their creation, from the smallest partition that has all of the filters' posts. */
const byCreation = (workspaceId: string, filter: PostFilter): Path => {
  const { externalId, socialAccountId, status, cursor, order } = filter
  const pathOf = (name: string, value: string, sort: string, index?: 'waiting' | 'account' | 'status'): Path => {
    const partition = equal(name, value)
    const behind = order === 'asc' ? above : below
    const key = cursor === undefined ? partition : allOf(partition, behind(sort, cursor))
    return index ? { index, key } : { key }
  }
  if (externalId !== undefined) return pathOf('waitingKey', externalKey(workspaceId, externalId), 'id', 'waiting')
  if (socialAccountId !== undefined) {
    return pathOf('accountKey', accountKeyOf({ workspaceId, socialAccountId }), 'id', 'account')
  }
  if (status !== undefined && isInStatusIndex(status)) {
    return pathOf('statusKey', statusKeyOf(workspaceId, status), 'id', 'status')
  }
  return pathOf('PK', posts.key({ workspaceId, id: '' }).PK, 'SK')
}

interface Read {
  rows: Post[]
  unreadable: number
}

const read = (ctx: Context, items: readonly Item[]): Read => {
  const rows = posts.readable(ctx, items)
  return { rows, unreadable: items.length - rows.length }
}

/** The posts of a page of a query. An index can lag: a post that has moved in it is shown at its current position. */
const rowsOf = async (ctx: Context, { index }: Path, { items }: Page, { status }: PostFilter): Promise<Read> => {
  if (index === undefined) return read(ctx, items)
  // The index of accounts knows the status.
  const named = items.filter((item) => status === undefined || (item['status'] ?? status) === status)
  const keys = named.map(({ PK, SK }) => ({ PK: String(PK), SK: String(SK) }))
  const rows = keys.length === 0 ? undefined : await batchGet(ctx, keys)
  const whole = named.flatMap((item, n) => {
    const row = rows?.item(keys[n] ?? { PK: '', SK: '' })
    const hasMoved = index === 'time' && row?.['scheduledAt'] !== item['scheduledAt']
    return row === undefined || hasMoved ? [] : [row]
  })
  return read(ctx, whole)
}

/** The result of a walk: the matches, at most one more than the page takes, and where to continue if there may be more. */
export interface WalkResult {
  matches: Match[]
  /** The position of the last row that was read; undefined if all were. */
  readTo: string | undefined
  /** Posts that were read and left out, because a newer release wrote them. */
  unreadable: number
}

/**
 * Walks over the posts of a workspace in the order of the list, until it has one match more than the page takes, or has read
 * the maximum of one request.
 */
export const walk = async (ctx: Context, workspaceId: string, filter: PostFilter): Promise<WalkResult> => {
  const { sort, order, limit, q } = filter
  const path =
    sort === 'scheduledAt' ? byTime(posts.key({ workspaceId, id: '' }).PK, filter) : byCreation(workspaceId, filter)
  const matches: Match[] = []
  let [after, readTo] = [path?.after, undefined as string | undefined]
  let unreadable = 0
  for (let [queries, seen, characters] = [0, 0, 0]; path !== undefined; ) {
    const perQuery = q === undefined ? rowsPerQuery : textsPerQuery
    // Often every row matches, so the first query reads one page.
    const pageLimit = Math.min(perQuery, maxRows - seen, queries === 0 ? limit + 1 : perQuery)
    const page = await query(ctx, {
      ...path,
      limit: pageLimit,
      newestFirst: order === 'desc',
      ...(after ? { after } : {}),
    })
    const posts = await rowsOf(ctx, path, page, filter)
    const { matches: fitting, characters: own } = await matching(ctx, posts.rows, filter)
    unreadable += posts.unreadable
    matches.push(...fitting)
    const last = page.items.at(-1)
    readTo = last && page.next && positionOf({ id: String(last['SK']), scheduledAt: String(last['scheduledAt']) }, sort)
    after = page.next
    queries += 1
    seen += page.items.length
    characters += own
    const isSpent = seen >= maxRows || queries >= maxQueries || characters >= maxCharacters
    if (after === undefined || matches.length > limit || isSpent) break
  }
  return { matches, readTo, unreadable }
}

/** The matches of a cursor's page among all of them, in the order of the list. */
export const behindCursor = (all: readonly Match[], { sort, order, cursor }: PostFilter): Match[] => {
  const position = ({ post }: Match) => positionOf(post, sort)
  const sorted = [...all].sort((a, b) => (isBehind(position(a), position(b), order) ? 1 : -1))
  return cursor === undefined ? sorted : sorted.filter((match) => isBehind(position(match), cursor, order))
}
