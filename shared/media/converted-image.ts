import { statObject } from '../aws/bucket.ts'
import { findDerived } from '../aws/derived-file.ts'
import type { Context } from '../context.ts'
import { conversionError, NotConverted } from './conversion-error.ts'
import { failureFrom } from './convert/image-job.ts'
import { convertedKeyOf, fits, type ImageFormat, targetTypeOf } from './image-formats.ts'
import type { MediaFile } from './media-file.ts'

/** Finds an image in the format of a platform: the file itself if it fits, or the one that was converted from it. */
export const findConverted = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
  sent: ImageFormat,
): Promise<MediaFile | undefined> => {
  if (fits(file, sent)) return file
  const storageKey = convertedKeyOf(workspaceId, file.id, sent)
  const known = await findDerived(ctx, storageKey)
  if (known === undefined) return undefined
  if ('failure' in known) throw conversionError(file.originalFilename, failureFrom(known.failure))
  return { ...file, ...known, storageKey, mimeType: targetTypeOf(sent) }
}

/**
 * The image in the format of a platform, if it was converted before. Throws `NotConverted` if it was not, and
 * `ConversionError` if it cannot be; `isGone` recognizes the error of a deleted file.
 */
export const convertedImage = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
  sent: ImageFormat,
): Promise<MediaFile> => {
  const converted = await findConverted(ctx, workspaceId, file, sent)
  if (converted !== undefined) return converted
  await statObject(ctx, file.storageKey)
  throw new NotConverted(`${file.originalFilename} is not converted yet.`)
}
