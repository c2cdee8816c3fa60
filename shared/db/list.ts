import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { readCounts } from './counters.ts'
import { type Entity, unreadableIn } from './entity.ts'
import { allOf, below, type Condition, equal } from './expression.ts'
import { type Item, type QueryRequest, queryAll, skipRows } from './table.ts'

/** The requested page. */
export interface PageRequest {
  limit: number
  offset: number
  /** The id after which the page starts; replaces `offset`. */
  cursor?: string | undefined
}

/** Rows of one partition whose sort keys are time-ordered ids, and the count that their transactions maintain. */
export interface Listed {
  workspaceId: string
  /** The partition's key. */
  PK: string
  /** The counter of the rows: the kind of its counter rows, and its name in them. */
  kind: string
  count: string
}

/** An ordered source of rows: the table, or one of its indexes. */
export type Source = Pick<QueryRequest, 'index' | 'key' | 'filter' | 'only'>

/** Up to this many skipped rows are read with the page; more are counted with a separate Query. */
const fewRows = 200

/** Whether an offset skips so many rows that they are counted, or looked up in an index, instead of read. */
export const isDeep = ({ offset }: PageRequest): boolean => offset > fewRows

export const assertCursorOrOffset = ({ cursor, offset }: PageRequest): void => {
  if (cursor === undefined || offset === 0) return
  throw new Refusal('invalid', '"cursor" and "offset" cannot be combined. Send one of them.', {
    code: 'invalid_input',
    field: 'cursor',
  })
}

/** The newest rows of a source after the skipped ones, up to a number. */
export const readNewest = async (ctx: Context, source: Source, count: number, skip = 0): Promise<Item[]> => {
  const request = { ...source, newestFirst: true }
  if (skip <= fewRows || source.filter) return (await queryAll(ctx, request, skip + count)).slice(skip)
  const after = await skipRows(ctx, request, skip)
  return after === undefined ? [] : queryAll(ctx, { ...request, after }, count)
}

/**
 * The most bytes of the items of a page. A function's response has at most 6 MB (Lambda, "Quotas", 2026-11-28), as JSON that
 * contains the body as a string.
 */
const maxPageBytes = 5_500_000

/**
 * The first items of a page that fit into a response, at least one. If not all fit, the page has more after it, and
 * continues after the last of them.
 */
export const fitting = <T>(items: T[]): T[] => {
  let bytes = 0
  const end = items.findIndex((item, n) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(item)))
    return n > 0 && bytes > maxPageBytes
  })
  return end === -1 ? items : items.slice(0, end)
}

/** How to read rows, and which part of each to show. */
interface Rows<Row, View> extends Pick<Entity<Row, never>, 'readable'> {
  view(row: Row): View
}

/** The rows of a partition, those after the cursor. */
export const rowsAfter = (PK: string, cursor: string | undefined): Condition =>
  cursor === undefined ? equal('PK', PK) : allOf(equal('PK', PK), below('SK', cursor))

/**
 * A page of a partition, newest first. Rows skipped by an offset are paid for, although little of them is transferred;
 * a cursor reads no skipped rows. A cursor is a position: the page after it stays the same if the row of that id is
 * deleted.
 */
export const pageNewest = async <Row, View extends { id: string }>(
  ctx: Context,
  PK: string,
  page: PageRequest,
  { readable, view }: Rows<Row, View>,
  total: number | Promise<number>,
) => {
  assertCursorOrOffset(page)
  const { limit, offset, cursor } = page
  const read = async () => {
    // After the last row there is nothing to skip.
    if (isDeep(page) && (await total) <= offset) return []
    return readNewest(ctx, { key: rowsAfter(PK, cursor) }, limit + 1, offset)
  }
  const [count, items] = await Promise.all([total, read()])
  const rows = readable(ctx, items.slice(0, limit))
  const views = fitting(rows.map(view))
  const cut = items.findIndex((item) => item['SK'] === views.at(-1)?.id) + 1
  const shown = items.slice(0, views.length === rows.length ? limit : cut)
  const hasMore = items.length > shown.length
  const last = shown.at(-1)
  return {
    items: views,
    // A count is a sum of changes, and can be read in the middle of one.
    total: Math.max(0, count),
    limit,
    offset,
    hasMore,
    ...(hasMore && last ? { nextCursor: String(last['SK']) } : {}),
    ...unreadableIn(shown, views),
  }
}

/** A page, newest first, with the exact total from the counters. */
export const listNewest = async <Row, View extends { id: string }>(
  ctx: Context,
  { workspaceId, PK, kind, count }: Listed,
  page: PageRequest,
  rows: Rows<Row, View>,
) => {
  assertCursorOrOffset(page)
  const total = readCounts(ctx, workspaceId, kind).then((counts) => counts(count))
  return pageNewest(ctx, PK, page, rows, total)
}
