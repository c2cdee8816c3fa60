import { statObject } from '../aws/bucket.ts'
import { findDerived } from '../aws/derived-file.ts'
import type { Context } from '../context.ts'
import { NotConverted } from './conversion-error.ts'
import type { MediaFile } from './media-file.ts'
import { derivedKeyOf } from './reference.ts'
import { extensionOf, kindOf, type MediaType } from './types.ts'

/** Increases when more is removed, so that earlier results are no longer found. */
const recipe = 1

/** The key of a file without its metadata. */
export const cleanKeyOf = (workspaceId: string, { id: assetId, mimeType }: MediaFile): string =>
  derivedKeyOf({ workspaceId, assetId }, [recipe, 'clean'], extensionOf(mimeType as MediaType))

/** Whether a file may have metadata that is removed before it is sent: an image or a video of an earlier release. */
export const mustClean = ({ isClean, mimeType }: Pick<MediaFile, 'isClean' | 'mimeType'>): boolean =>
  isClean !== true && ['image', 'video'].includes(kindOf(mimeType))

export const asCleaned = (file: MediaFile, storageKey: string, fileSize: number): MediaFile => ({
  ...file,
  storageKey,
  fileSize,
  isClean: true,
})

/** Finds a file without its metadata: the file itself, or the one that was derived from it. */
export const findCleaned = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
): Promise<MediaFile | undefined> => {
  if (!mustClean(file)) return file
  const storageKey = cleanKeyOf(workspaceId, file)
  const known = await findDerived(ctx, storageKey)
  return known === undefined || 'failure' in known ? undefined : asCleaned(file, storageKey, known.fileSize)
}

/**
 * The file without its metadata, if that was removed before. Throws `NotConverted` if it was not; `isGone` recognizes the
 * error of a deleted file.
 */
export const cleanedFile = async (ctx: Context, workspaceId: string, file: MediaFile): Promise<MediaFile> => {
  const cleaned = await findCleaned(ctx, workspaceId, file)
  if (cleaned !== undefined) return cleaned
  await statObject(ctx, file.storageKey)
  throw new NotConverted(`${file.originalFilename} is not cleaned yet.`)
}
