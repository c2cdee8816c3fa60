import { incomingPrefix } from '../resources.ts'

/** Where the files of a workspace lie. */
export const filesOf = (workspaceId: string): string => `media/uploads/${workspaceId}/`

/** Where a file lies; the asset's id is part of the key, so any form of reference names the row. */
export const storageKeyOf = (workspaceId: string, assetId: string, extension: string): string =>
  `${filesOf(workspaceId)}${assetId}.${extension}`

/** Where the files lie that were made from those of a workspace, for platforms that take them in another form. */
export const derivedFilesOf = (workspaceId: string): string => `media/derived/${workspaceId}/`

/** Where those lie that were made from one file. */
export const derivedFrom = (workspaceId: string, assetId: string): string => `${derivedFilesOf(workspaceId)}${assetId}/`

/** Where previews of the images of a workspace lie. */
export const previewsOf = (workspaceId: string): string => `media/previews/${workspaceId}/`

export const previewKeyOf = (workspaceId: string, assetId: string): string =>
  `${previewsOf(workspaceId)}${assetId}.webp`

/** Where files of a workspace arrive, apart from all that is shown. */
export const incomingFilesOf = (workspaceId: string): string => `${incomingPrefix}${workspaceId}/`

/** Where a file arrives before it has been looked at. */
export const incomingKeyOf = (storageKey: string): string => storageKey.replace(/^media\/uploads\//, incomingPrefix)

/** Everywhere that files of a workspace may lie. */
export const foldersOf = (workspaceId: string): string[] =>
  [incomingFilesOf, filesOf, derivedFilesOf, previewsOf].map((folder) => folder(workspaceId))

/** Says that a reference names no file of the workspace; of a foreign address also what is taken in its place. */
export const noSuchMedia = (reference: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(reference)
    ? `The URL ${reference} is not the URL of a file in this workspace. "mediaUrls" takes ids of media, their "url" or "previewUrl", and storage keys. Upload the file first with POST /api/media/upload-url.`
    : `This workspace has no media ${reference}.`

const originals = /^media\/uploads\/([^/]+)\/(med_[0-9A-Z]{26})(?:\.\w+)?$/
/** An address may be the `previewUrl` of an asset as well, which names the asset, not the smaller image. */
const shown = /^media\/(?:uploads|previews)\/([^/]+)\/(med_[0-9A-Z]{26})(?:\.\w+)?$/

/**
 * The asset id that a reference names: an id, a storage key, or an address at the media host.
 * Undefined where it names nothing of this workspace.
 */
export const assetIdOf = (reference: string, workspaceId: string, mediaUrl: string): string | undefined => {
  if (/^med_[0-9A-Z]{26}$/.test(reference)) return reference
  const isAddress = reference.startsWith(`${mediaUrl}/`)
  const key = isAddress ? reference.slice(mediaUrl.length + 1) : reference
  const [, workspace, assetId] = (isAddress ? shown : originals).exec(key) ?? []
  return workspace === workspaceId ? assetId : undefined
}
