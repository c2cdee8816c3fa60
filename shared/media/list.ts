import type { Context } from '../context.ts'
import { listNewest, type PageRequest } from '../db/list.ts'
import { assets, viewAsset } from './asset.ts'

/** A page of the gallery, newest upload first. */
export const listAssets = (ctx: Context, workspaceId: string, page: PageRequest) => {
  const { PK } = assets.key({ workspaceId, id: '' })
  return listNewest(ctx, { workspaceId, PK, kind: 'MEDIA', count: 'all' }, page, {
    readable: assets.readable,
    view: (asset) => viewAsset(asset, ctx.env('MEDIA_URL')),
  })
}
