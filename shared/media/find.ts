import type { Found, Key } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { type Asset, assets } from './asset.ts'

/** The row of the file a path names, for the read that also authorizes. */
export const assetKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  assets.key({ workspaceId, id: params.id }),
]

export const missingAsset = (id: string): Refusal =>
  new Refusal('missing', `No media ${id} in this workspace.`, { code: 'media_missing', field: 'id' })

/** The file a path names; 404 where this workspace has none of that id. */
export const findAsset = (found: Found, workspaceId: string, id: string): Asset => {
  const asset = assets.from(found, { workspaceId, id })
  if (!asset) throw missingAsset(id)
  return asset
}
