import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { update } from '../db/table.ts'
import { type Asset, type AssetView, assetNotFound, assets, viewAsset } from './asset.ts'
import type { UpdateMediaRequest } from './requests.ts'

/** Changes the text of a file that a concurrent deletion has not removed. Posts have the text in rows of their own. */
export const updateAsset = async (
  ctx: Context,
  asset: Asset,
  { altText }: UpdateMediaRequest,
): Promise<z.infer<typeof AssetView>> => {
  const written = update(ctx, assets.key(asset), { set: { altText: altText || null } }, present('PK'))
  return viewAsset(assets.parse(await currentOrThrow(written, () => assetNotFound(asset.id))), ctx.env('MEDIA_URL'))
}
