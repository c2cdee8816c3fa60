import { createHash } from 'node:crypto'
import { incomingPrefix } from '../resources.ts'

/** The prefix of a workspace's files. */
export const filesOf = (workspaceId: string): string => `media/uploads/${workspaceId}/`

/** The key of a file. It contains the asset's id, so every form of reference names the row. */
export const storageKeyOf = (workspaceId: string, assetId: string, extension: string): string =>
  `${filesOf(workspaceId)}${assetId}.${extension}`

/** The prefix of a workspace's converted files. */
export const derivedFilesOf = (workspaceId: string): string => `media/derived/${workspaceId}/`

/** The prefix of the files that were converted from one file. */
export const derivedFrom = (workspaceId: string, assetId: string): string => `${derivedFilesOf(workspaceId)}${assetId}/`

/** The key of a file that was converted from another one, by its form, so that it is found again. */
export const derivedKeyOf = (
  { workspaceId, assetId }: { workspaceId: string; assetId: string },
  form: readonly unknown[],
  extension: string,
): string => {
  const name = createHash('sha256').update(JSON.stringify(form)).digest('hex').slice(0, 24)
  return `${derivedFrom(workspaceId, assetId)}${name}.${extension}`
}

/** The prefix of a workspace's previews. */
export const previewsOf = (workspaceId: string): string => `media/previews/${workspaceId}/`

export const previewKeyOf = (workspaceId: string, assetId: string): string =>
  `${previewsOf(workspaceId)}${assetId}.webp`

/** The key of an account's picture. It changes with each connection, because a file at a key never changes for a cache. */
export const pictureKeyOf = (workspaceId: string, accountId: string, nowMs: number): string =>
  previewKeyOf(workspaceId, `${accountId}-${nowMs.toString(36)}`)

/** The prefix of a workspace's incoming uploads, which are not served. */
export const incomingFilesOf = (workspaceId: string): string => `${incomingPrefix}${workspaceId}/`

/** The key of an upload before it is completed. */
export const incomingKeyOf = (storageKey: string): string => storageKey.replace(/^media\/uploads\//, incomingPrefix)

/** All prefixes that may hold files of a workspace. */
export const foldersOf = (workspaceId: string): string[] =>
  [incomingFilesOf, filesOf, derivedFilesOf, previewsOf].map((folder) => folder(workspaceId))

/**
 * The message for a reference that names no file of the workspace; for a foreign URL, also what is accepted instead.
 */
export const noSuchMedia = (reference: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(reference)
    ? `The URL ${reference} is not the URL of a file in this workspace. This field takes ids of media, their "url" or "previewUrl", and storage keys. Upload the file first with POST /api/media/upload-url; a public address can be sent in "mediaUrls" when you schedule or publish the post.`
    : `This workspace has no media ${reference}. Ids of media start with "med_". Upload a file first with POST /api/media/upload-url.`

const originals = /^media\/uploads\/([^/]+)\/(med_[0-9A-Z]{26})(?:\.\w+)?$/
/** A URL can also be the `previewUrl` of an asset, which names the asset, not the smaller image. */
const shown = /^media\/(?:uploads|previews)\/([^/]+)\/(med_[0-9A-Z]{26})(?:\.\w+)?$/

/**
 * The asset ID that a reference names: an ID, a storage key, or a URL at the media host. Undefined if it names nothing in
 * this workspace.
 */
export const assetIdOf = (reference: string, workspaceId: string, mediaUrl: string): string | undefined => {
  if (/^med_[0-9A-Z]{26}$/.test(reference)) return reference
  const isAddress = reference.startsWith(`${mediaUrl}/`)
  const key = isAddress ? reference.slice(mediaUrl.length + 1) : reference
  const [, workspace, assetId] = (isAddress ? shown : originals).exec(key) ?? []
  return workspace === workspaceId ? assetId : undefined
}
