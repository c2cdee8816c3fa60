import type { Write } from '../db/table.ts'
import type { Asset } from './asset.ts'
import type { VideoInfo } from './video-info.ts'

const retentionSeconds = 30 * 86_400

/** The partition of the uses of all assets of a workspace. */
export const usesPartitionOf = (workspaceId: string): string => `WS#${workspaceId}#USE`

/** The prefix of an asset's use rows: one per group, or rescheduled post, that uses it. */
export const usePrefix = (assetId: string): string => `${assetId}#`

/**
 * The writes that store which assets a group of posts uses, until a month after its time. `owner` is the group, or the
 * one post of it that was rescheduled: it gets a separate row, so that no row of the group expires too early.
 */
export const recordMediaUse = (
  workspaceId: string,
  owner: string,
  media: readonly { id: string }[],
  dueMs: number,
): Write[] =>
  [...new Set(media.map(({ id }) => id))].map((id) => ({
    put: {
      PK: usesPartitionOf(workspaceId),
      SK: `${usePrefix(id)}${owner}`,
      type: 'MediaUse',
      ttl: Math.ceil(dueMs / 1000) + retentionSeconds,
    },
  }))

/** A stored file as a post refers to it, with its properties at the time the post was accepted. */
export interface MediaFile {
  id: string
  storageKey: string
  mimeType: string
  fileSize: number
  originalFilename: string
  width?: number | undefined
  height?: number | undefined
  durationMs?: number | undefined
  /** Number of frames of an animated image. */
  frames?: number | undefined
  /** The contents of a video's index; absent for videos of earlier releases. */
  video?: VideoInfo | undefined
  /** Whether it has no metadata about location, device, and person; absent if it was added by an earlier release. */
  isClean?: boolean | undefined
  altText?: string | undefined
  /** Where the file comes from, if it is fetched from an address. Until it is ready, the other properties are unknown. */
  source?: ImportSource | undefined
}

interface ImportSource {
  url: string
  status: 'pending' | 'ready' | 'failed'
  /** Why a failed import has no file, or why the last try of a pending one failed. */
  error?: string | undefined
}

/** A file that is not fetched yet, as a post refers to it. */
export const pendingFile = (id: string, url: string): MediaFile => ({
  id,
  storageKey: '',
  mimeType: 'application/octet-stream',
  fileSize: 0,
  originalFilename: '',
  source: { url, status: 'pending' },
})

export const isPending = ({ source }: Pick<MediaFile, 'source'>): boolean => source?.status === 'pending'

/** The number of files that are not fetched yet, as a post stores it: absent if there is none. */
export const pendingImportsOf = (media: readonly MediaFile[]): number | undefined =>
  media.filter(isPending).length || undefined

/** A stored file as a post has it. */
export const postMedia = (asset: Asset): MediaFile => ({
  id: asset.id,
  storageKey: asset.storageKey,
  mimeType: asset.mimeType,
  fileSize: asset.fileSize,
  originalFilename: asset.originalFilename,
  width: asset.width,
  height: asset.height,
  durationMs: asset.durationMs,
  frames: asset.frames,
  video: asset.video,
  isClean: asset.isClean,
  altText: asset.altText ?? undefined,
})
