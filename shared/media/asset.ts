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
  /** Only of a moving picture. */
  frames: z.optional(z.number()),
  altText: z.nullable(z.string()),
  createdAt: z.string(),
  /** Where the smaller picture of an image lies, once it is made. */
  previewKey: z.optional(z.string()),
  /** Why an image has none. */
  previewError: z.optional(z.string()),
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
    url: z.string(),
    previewUrl: z.string(),
    altText: z.nullable(z.string()),
    width: z.optional(z.number()),
    height: z.optional(z.number()),
    duration: z.optional(z.number()),
    frames: z.optional(z.number()),
    storageKey: z.string(),
    createdAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'MediaAsset' })

/** Decided: a video, and an image whose preview is not made yet, is shown by itself. */
export const viewAsset = (asset: Asset, mediaUrl: string): z.infer<typeof AssetView> => ({
  ...asset,
  url: `${mediaUrl}/${asset.storageKey}`,
  previewUrl: `${mediaUrl}/${asset.previewKey ?? asset.storageKey}`,
  ...(asset.durationMs === undefined ? {} : { duration: asset.durationMs }),
})
