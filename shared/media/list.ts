import type { Context } from '../context.ts'
import { assertCursorOrOffset, fitting, listNewest, rowsAfter } from '../db/list.ts'
import { query } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { fold } from '../text/fold.ts'
import { type Asset, assets, viewAsset } from './asset.ts'
import type { ListMediaQuery } from './list-query.ts'
import { kindOf } from './types.ts'

/** The most files that one request reads in search of matches; `nextCursor` continues after them. */
const maxRows = 2_000
/** How many of them a query reads. A query also ends after 1 MB. */
const rowsPerQuery = 500

const matcherOf = ({ kind, q, sha256 }: ListMediaQuery) => {
  const phrase = q === undefined ? undefined : fold(q)
  return (asset: Asset): boolean =>
    (kind === undefined || kindOf(asset.mimeType) === kind) &&
    (sha256 === undefined || asset.sha256 === sha256) &&
    (phrase === undefined || [asset.originalFilename, asset.altText ?? ''].some((text) => fold(text).includes(phrase)))
}

/** The files that match, the newest first, until there is one more than the page takes, or a request has read its most. */
const walk = async (ctx: Context, PK: string, filter: ListMediaQuery) => {
  const isMatch = matcherOf(filter)
  const matches: Asset[] = []
  let [readTo, seen, unreadable] = [filter.cursor, 0, 0]
  for (;;) {
    const page = await query(ctx, { key: rowsAfter(PK, readTo), limit: rowsPerQuery, newestFirst: true })
    const rows = assets.readable(ctx, page.items)
    unreadable += page.items.length - rows.length
    matches.push(...rows.filter(isMatch))
    seen += page.items.length
    const isAll = page.next === undefined
    readTo = isAll ? undefined : String(page.items.at(-1)?.['SK'])
    if (isAll || matches.length > filter.limit || seen >= maxRows) return { matches, readTo, unreadable }
  }
}

const search = async (ctx: Context, PK: string, filter: ListMediaQuery) => {
  assertCursorOrOffset(filter)
  const { limit, offset, cursor } = filter
  if (offset > 0) {
    const text =
      '"offset" cannot be combined with "kind", "q", and "sha256". Use "cursor", the nextCursor of the page before.'
    throw new Refusal('invalid', text, { code: 'invalid_input', field: 'offset' })
  }
  const { matches, readTo, unreadable } = await walk(ctx, PK, filter)
  const items = fitting(matches.slice(0, limit).map((asset) => viewAsset(asset, ctx.env('MEDIA_URL'))))
  const nextCursor = items.length < matches.length ? items.at(-1)?.id : readTo
  return {
    items,
    total: matches.length,
    totalIsExact: cursor === undefined && readTo === undefined,
    limit,
    offset,
    hasMore: nextCursor !== undefined,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(unreadable === 0 ? {} : { unreadable }),
  }
}

/** A page of the gallery, newest upload first. */
export const listAssets = async (ctx: Context, workspaceId: string, filter: ListMediaQuery) => {
  const { PK } = assets.key({ workspaceId, id: '' })
  if ([filter.kind, filter.q, filter.sha256].some((value) => value !== undefined)) return search(ctx, PK, filter)
  const page = await listNewest(ctx, { workspaceId, PK, kind: 'MEDIA', count: 'all' }, filter, {
    readable: assets.readable,
    view: (asset) => viewAsset(asset, ctx.env('MEDIA_URL')),
  })
  return { ...page, totalIsExact: true }
}
