import { readRange, statObject } from '../aws/bucket.ts'
import { derivedAs, putFailure } from '../aws/derived-file.ts'
import { joinFile } from '../aws/join-file.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { NotConverted } from './conversion-error.ts'
import { openSource } from './inspect/source.ts'
import type { MediaFile } from './media-file.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { planRemux } from './remux/plan.ts'
import { CannotRemux } from './remux/write.ts'
import { asRemuxed, asUploaded, findRemuxed } from './remuxed-video.ts'
import { remuxedKeyOf, remuxedTypeOf, type VideoForm } from './video-form.ts'

const enqueue = oneAtATime()

const remux = async (ctx: Context, storageKey: string, file: MediaFile, form: VideoForm): Promise<MediaFile> => {
  const { storageKey: from, width = 0, height = 0 } = file
  const { etag, fileSize } = await statObject(ctx, from)
  const load = (first: number, end: number) => readRange(ctx, from, { from: first, to: end - 1, etag })
  try {
    const plan = await planRemux(await openSource(fileSize, load), form)
    const mimeType = remuxedTypeOf(file, form)
    const storedAs = derivedAs(ctx, { width, height })
    const bytes = await joinFile(ctx, { ...plan, from, etag, to: storageKey, mimeType, storedAs })
    return asRemuxed(file, form, storageKey, bytes)
  } catch (error) {
    // A refusal: the index differs from when an earlier release inspected the file.
    if (!(error instanceof CannotRemux || error instanceof Refusal || error instanceof RangeError)) throw error
    ctx.log.warn('a video was not rewritten', { assetId: file.id, reason: error.message })
    await putFailure(ctx, storageKey, { why: 'remux' })
    return asUploaded(file, form)
  }
}

/**
 * Rewrites a video for a platform without decoding it: a new index, and the media data unchanged. S3 copies the data, so
 * that only the index, and parts of 5 MiB, are in memory. The result is stored and reused, and so is the failure. Throws
 * `ConversionError` if the platform does not accept the container of a video that cannot be rewritten, or `NotConverted` if
 * another try may succeed.
 */
export const remuxVideo = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
  form: VideoForm,
): Promise<MediaFile> => {
  const remuxed = await findRemuxed(ctx, workspaceId, file, form)
  if (remuxed !== undefined) return remuxed
  return enqueue(
    ctx,
    () => remux(ctx, remuxedKeyOf(workspaceId, file, form), file, form),
    () => new NotConverted(`${file.originalFilename} was not rewritten in time.`),
  )
}
