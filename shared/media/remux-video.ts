import { readRange, statObject } from '../aws/bucket.ts'
import { putFailure } from '../aws/derived-file.ts'
import { joinFile } from '../aws/join-file.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { openSource } from './inspect/source.ts'
import type { MediaFile } from './media-file.ts'
import { planRemux } from './remux/plan.ts'
import { CannotRemux } from './remux/write.ts'
import { asRemuxed, asUploaded, findRemuxed } from './remuxed-video.ts'
import { remuxedKeyOf, remuxedTypeOf, type VideoForm } from './video-form.ts'

/**
 * Rewrites a video for a platform without decoding it: a new index, and the media data as it is. S3 copies the data, so
 * that only the index and up to 8 MB are in memory. The result is stored and reused, and so is the failure. Throws
 * `ConversionError` if the platform does not take the container of a video that cannot be rewritten.
 */
export const remuxVideo = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
  form: VideoForm,
): Promise<MediaFile> => {
  const remuxed = await findRemuxed(ctx, workspaceId, file, form)
  if (remuxed !== undefined) return remuxed
  const storageKey = remuxedKeyOf(workspaceId, file, form)
  const { storageKey: from, width = 0, height = 0 } = file
  const { etag, fileSize } = await statObject(ctx, from)
  const load = (first: number, end: number) => readRange(ctx, from, { from: first, to: end - 1, etag })
  try {
    const plan = await planRemux(await openSource(fileSize, load), form)
    const mimeType = remuxedTypeOf(file, form)
    const bytes = await joinFile(ctx, { ...plan, from, etag, to: storageKey, mimeType, width, height })
    return asRemuxed(file, form, storageKey, bytes)
  } catch (error) {
    // A refusal: the index is not what it was when the file was inspected by an earlier release.
    if (!(error instanceof CannotRemux || error instanceof Refusal || error instanceof RangeError)) throw error
    ctx.log.warn('a video was not rewritten', { assetId: file.id, reason: error.message })
    await putFailure(ctx, storageKey, { why: 'remux' })
    return asUploaded(file, form)
  }
}
