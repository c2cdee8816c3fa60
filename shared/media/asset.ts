import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { assetIdOf } from './reference.ts'
import { VideoInfo } from './video-info.ts'

/** A file of the gallery as stored. */
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
  /** Only for an animated image. */
  frames: z.optional(z.number()),
  /** Only for a video that was added since its index is read for them. */
  video: z.optional(VideoInfo),
  /** Whether its metadata was removed when it was added; absent for files of earlier releases. */
  isClean: z.optional(z.boolean()),
  /** Of the bytes that were sent, before their metadata was removed. Absent if they came in another way. */
  sha256: z.optional(z.string()),
  altText: z.nullable(z.string()),
  createdAt: z.string(),
  /** The storage key of an image's preview, once it exists. */
  previewKey: z.optional(z.string()),
  /** Why an image has no preview. */
  previewError: z.optional(z.string()),
})
export type Asset = z.infer<typeof Asset>

export const assets = entity({
  type: 'Asset',
  shape: Asset,
  key: ({ workspaceId, id }: Pick<Asset, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}#MEDIA`, SK: id }),
})

/** A file as the API shows it. */
export const AssetView = z
  .object({
    id: described(z.string(), 'The ID of the file, `med_…`. Send it in `mediaUrls` of a post.'),
    originalFilename: described(
      z.string(),
      'The name that the file was uploaded with. A wrong extension is corrected to match the type.',
    ),
    mimeType: described(z.string(), 'The content type, found in the file itself.'),
    fileSize: described(z.number(), 'The size in bytes.'),
    url: described(z.string(), 'The public URL of the file.'),
    previewUrl: described(
      z.string(),
      'The URL of a small WebP image; of the file itself for a video, a document, or captions, and until the preview of an image is made.',
    ),
    altText: described(z.nullable(z.string()), 'The text for people who cannot see the image; null without one.'),
    width: described(z.optional(z.number()), 'The width in pixels as the file is shown. Absent if unknown.'),
    height: described(z.optional(z.number()), 'The height in pixels as the file is shown. Absent if unknown.'),
    duration: described(
      z.optional(z.number()),
      'The duration in milliseconds of a video or an animated image. Absent otherwise.',
    ),
    frames: described(z.optional(z.number()), 'The number of frames of an animated image. Absent otherwise.'),
    video: described(
      z.optional(VideoInfo),
      'What the index of a video says about its codecs, frames, and sound. Absent for images and documents, and for videos that were added before the service read it.',
    ),
    sha256: described(
      z.optional(z.string()),
      'The SHA-256 of the bytes that you sent, in hexadecimal. The stored file lacks their metadata. Absent if unknown.',
    ),
    storageKey: described(z.string(), 'The key of the file in storage.'),
    createdAt: timestamp('When the file was added, in UTC.'),
  })
  .register(z.globalRegistry, {
    id: 'MediaAsset',
    description: 'An image, video, document, or caption file in the library of a workspace.',
  })

/** Decided: the preview of all but images, and of an image without one yet, is the file itself. */
export const viewAsset = (asset: Asset, mediaUrl: string): z.infer<typeof AssetView> => ({
  ...asset,
  url: `${mediaUrl}/${asset.storageKey}`,
  previewUrl: `${mediaUrl}/${asset.previewKey ?? asset.storageKey}`,
  ...(asset.durationMs === undefined ? {} : { duration: asset.durationMs }),
})

/** The row of the file in the path, read together with the authorization. */
export const assetKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  assets.key({ workspaceId, id: params.id }),
]

export const assetNotFound = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no media ${id}.`, { code: 'media_not_found', field: 'id' })

/** The file in the path; throws 404 if this workspace has no file with that id. */
export const findAsset = (rows: BatchRows, workspaceId: string, id: string): Asset => {
  const asset = assets.from(rows, { workspaceId, id })
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
  rows: BatchRows,
  workspaceId: string,
  mediaUrl: string,
  reference: string,
): Asset | undefined => {
  const id = assetIdOf(reference, workspaceId, mediaUrl)
  return id === undefined ? undefined : assets.from(rows, { workspaceId, id })
}
