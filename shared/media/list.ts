import type { Context } from '../context.ts'
import { readCounts } from '../db/counters.ts'
import { all, below, equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { assets, viewAsset } from './asset.ts'

export interface AssetPage {
  limit: number
  offset: number
  /** The id after which the page begins; takes the place of `offset`. */
  cursor?: string | undefined
}

/** A page of the gallery, newest upload first, with the exact total. */
export const listAssets = async (ctx: Context, workspaceId: string, { limit, offset, cursor }: AssetPage) => {
  if (cursor !== undefined && offset > 0) {
    throw new Refusal('invalid', '"cursor" and "offset" exclude each other: send one of them.', { field: 'cursor' })
  }
  const partition = equal('PK', assets.key({ workspaceId, id: '' }).PK)
  const key = cursor === undefined ? partition : all(partition, below('SK', cursor))
  const wanted = offset + limit + 1
  const [counts, items] = await Promise.all([
    readCounts(ctx, workspaceId, 'MEDIA'),
    queryAll(ctx, { key, newestFirst: true, limit: wanted }, wanted),
  ])
  const rows = items.slice(offset, offset + limit).map(assets.parse)
  const hasMore = items.length === wanted
  const last = rows.at(-1)
  return {
    items: rows.map((asset) => viewAsset(asset, ctx.env('MEDIA_URL'))),
    total: Math.max(0, counts('all')),
    limit,
    offset,
    hasMore,
    ...(hasMore && last ? { nextCursor: last.id } : {}),
  }
}
