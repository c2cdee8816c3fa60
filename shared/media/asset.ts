import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'

/** A file of the gallery as it is stored. */
export const Asset = z.object({
  id: z.string(),
  workspaceId: z.string(),
  storageKey: z.string(),
  originalFilename: z.string(),
  mimeType: z.string(),
  fileSize: z.number(),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  durationMs: z.optional(z.number()),
  altText: z.nullable(z.string()),
  createdAt: z.string(),
})
export type Asset = z.infer<typeof Asset>

export const assets = entity({
  type: 'Asset',
  shape: Asset,
  key: ({ workspaceId, id }: Pick<Asset, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}#MEDIA`, SK: id }),
})

/** A file as the API shows it (spec, MediaAsset). */
export const AssetView = z
  .object({
    id: z.string(),
    originalFilename: z.string(),
    mimeType: z.string(),
    fileSize: z.number(),
    previewUrl: z.string(),
    altText: z.nullable(z.string()),
    width: z.optional(z.number()),
    height: z.optional(z.number()),
    duration: z.optional(z.number()),
    storageKey: z.string(),
    createdAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'MediaAsset' })

export const viewAsset = (asset: Asset, mediaUrl: string): z.infer<typeof AssetView> => ({
  ...asset,
  previewUrl: `${mediaUrl}/${asset.storageKey}`,
  ...(asset.durationMs === undefined ? {} : { duration: asset.durationMs }),
})
