import { statObject } from '../aws/bucket.ts'
import { findDerived } from '../aws/derived-file.ts'
import type { Context } from '../context.ts'
import { ConversionError, NotConverted } from './conversion-error.ts'
import type { MediaFile } from './media-file.ts'
import { hasOtherContainer, mustRemux, remuxedKeyOf, remuxedTypeOf, type VideoForm } from './video-form.ts'

/** A rewritten video: the same streams in another file. */
export const asRemuxed = (file: MediaFile, form: VideoForm, storageKey: string, fileSize: number): MediaFile => ({
  ...file,
  storageKey,
  fileSize,
  mimeType: remuxedTypeOf(file, form),
})

/** A video that cannot be rewritten is sent unchanged, if the platform accepts its container. Throws `ConversionError`. */
export const asUploaded = (file: MediaFile, form: VideoForm): MediaFile => {
  if (!hasOtherContainer(file, form)) return file
  const next = 'Export it as MP4, upload that file, then reschedule the post.'
  throw new ConversionError(`${file.originalFilename} cannot be rewritten as MP4. ${next}`)
}

/** Finds a video in the form of a platform: the file itself if it has that form, or the one that was derived from it. */
export const findRemuxed = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
  form: VideoForm,
): Promise<MediaFile | undefined> => {
  if (!mustRemux(file, form)) return file
  const storageKey = remuxedKeyOf(workspaceId, file, form)
  const known = await findDerived(ctx, storageKey)
  if (known === undefined) return undefined
  return 'failure' in known ? asUploaded(file, form) : asRemuxed(file, form, storageKey, known.fileSize)
}

/**
 * The video in the form of a platform, if it was rewritten before. Throws `NotConverted` if it was not, and
 * `ConversionError` if it cannot be; `isGone` recognizes the error of a deleted file.
 */
export const remuxedVideo = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
  form: VideoForm,
): Promise<MediaFile> => {
  const remuxed = await findRemuxed(ctx, workspaceId, file, form)
  if (remuxed !== undefined) return remuxed
  await statObject(ctx, file.storageKey)
  throw new NotConverted(`${file.originalFilename} is not rewritten yet.`)
}
