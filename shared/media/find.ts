import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Asset, assets } from './asset.ts'
import { assetIdOf } from './reference.ts'

/** The row of the file in the path, read together with the authorization. */
export const assetKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  assets.key({ workspaceId, id: params.id }),
]

export const assetNotFound = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no media ${id}.`, { code: 'media_not_found', field: 'id' })

/** The file in the path; throws 404 if this workspace has no file with that id. */
export const findAsset = (found: BatchRows, workspaceId: string, id: string): Asset => {
  const asset = assets.from(found, { workspaceId, id })
  if (!asset) throw assetNotFound(id)
  return asset
}

/** The rows that references of any form name, read together with the authorization. */
export const referencedKeys = (workspaceId: string, mediaUrl: string, references: readonly string[]): Key[] =>
  references.flatMap((reference) => {
    const id = assetIdOf(reference, workspaceId, mediaUrl)
    return id === undefined ? [] : [assets.key({ workspaceId, id })]
  })

/** The file that a reference of any form names; undefined if this workspace does not have it. */
export const findReferenced = (
  found: BatchRows,
  workspaceId: string,
  mediaUrl: string,
  reference: string,
): Asset | undefined => {
  const id = assetIdOf(reference, workspaceId, mediaUrl)
  return id === undefined ? undefined : assets.from(found, { workspaceId, id })
}
