import { readObject } from '../aws/bucket.ts'
import { putDerived, putFailure } from '../aws/derived-file.ts'
import type { Context } from '../context.ts'
import { conversionError } from './conversion-error.ts'
import { ImageError, isLastingFailure } from './convert/image-job.ts'
import { makeImage } from './convert/image-process.ts'
import { findConverted } from './converted-image.ts'
import { convertedKeyOf, type ImageFormat, targetTypeOf } from './image-formats.ts'
import type { MediaFile } from './media-file.ts'
import { oneAtATime } from './one-at-a-time.ts'

const enqueue = oneAtATime()

const derive = async (ctx: Context, storageKey: string, file: MediaFile, sent: ImageFormat) => {
  const make = async () => makeImage({ kind: 'convert', bytes: await readObject(ctx, file.storageKey), sent })
  try {
    return await enqueue(
      ctx,
      async () => putDerived(ctx, storageKey, await make()),
      () => new ImageError({ why: 'late' }),
    )
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    const { failure } = error
    ctx.log.warn('an image was not converted', { assetId: file.id, reason: error.message })
    if (isLastingFailure(failure)) await putFailure(ctx, storageKey, failure)
    throw conversionError(file.originalFilename, failure)
  }
}

/**
 * Converts an image to a format that a platform accepts: the file itself if it fits, otherwise a smaller one of the
 * preferred type, upright and without camera metadata. The result is stored and reused, and so is a failure that another try
 * would only repeat. Throws `ConversionError`, or `NotConverted` if another try may succeed.
 */
export const convertImage = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
  sent: ImageFormat,
): Promise<MediaFile> => {
  const converted = await findConverted(ctx, workspaceId, file, sent)
  if (converted !== undefined) return converted
  const storageKey = convertedKeyOf(workspaceId, file.id, sent)
  const info = await derive(ctx, storageKey, file, sent)
  return { ...file, ...info, storageKey, mimeType: targetTypeOf(sent) }
}
