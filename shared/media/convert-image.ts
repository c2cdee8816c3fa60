import { readObject } from '../aws/bucket.ts'
import { findDerived, putDerived, putFailure } from '../aws/derived-file.ts'
import type { Context } from '../context.ts'
import { dayMs } from '../time.ts'
import { type CostlyFailure, ImageError, type ImageFailure, isCostlyFailure } from './convert/image-job.ts'
import { makeImage } from './convert/image-process.ts'
import { imageQueue } from './convert/image-queue.ts'
import { derivedKeyOf, fits, targetTypeOf } from './convert/target-format.ts'
import type { ImageFormat } from './image-format.ts'
import type { MediaFile } from './media-file.ts'

/** The bucket expires a derived file after seven days; a platform must have time to fetch it. */
const maxAgeMs = 6 * dayMs

const enqueue = imageQueue()

/**
 * Decided: an image that waits longer than this for others is tried again later. A worker has a minute for all messages
 * of a batch, and one image can take 45 seconds of it.
 */
const maxWaitMs = 10_000

const saveAnew = 'Save it again with another program, upload that file'

const whyNot: Readonly<Record<CostlyFailure, string>> = {
  time: `takes too long to convert. ${saveAnew}`,
  memory: `takes too much memory to convert. ${saveAnew}`,
  crashed: `cannot be converted. ${saveAnew}`,
}

/** An image could not be converted. The message is a sentence for the author of the post. */
export class ConversionError extends Error {
  override name = 'ConversionError'
  /** Whether another try may succeed. */
  readonly isTemporary: boolean
  constructor(message: string, isTemporary = false) {
    super(message)
    this.isTemporary = isTemporary
  }
}

const conversionError = (name: string, failure: ImageFailure): ConversionError => {
  const refuse = (why: string) => new ConversionError(`${name} ${why}, then reschedule the post.`)
  switch (failure.why) {
    case 'late':
      return new ConversionError(`${name} was not converted in time.`, true)
    case 'damaged':
      return refuse('is damaged and cannot be read as an image. Upload it again')
    case 'pixels':
      return refuse(`has ${failure.width} x ${failure.height} pixels, too many to convert. Upload a smaller image`)
    default:
      return refuse(whyNot[failure.why])
  }
}

const rememberedAs = (why: string): ImageFailure => ({ why: isCostlyFailure(why) ? why : 'crashed' })

const derive = async (ctx: Context, storageKey: string, file: MediaFile, sent: ImageFormat) => {
  const make = async () => makeImage({ kind: 'convert', bytes: await readObject(ctx, file.storageKey), sent })
  try {
    return await enqueue(ctx, async () => putDerived(ctx, storageKey, await make()), maxWaitMs)
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    const { why } = error.failure
    ctx.log.warn('an image was not converted', { assetId: file.id, reason: error.message })
    if (isCostlyFailure(why)) await putFailure(ctx, storageKey, why)
    throw conversionError(file.originalFilename, error.failure)
  }
}

/**
 * Converts an image to a format that a platform accepts: the file itself if it fits, else a smaller one of the
 * preferred type, upright and without camera metadata. The result is stored and reused, and so is a failure that was
 * expensive to find. Throws `ConversionError`.
 */
export const convertImage = async (
  ctx: Context,
  workspaceId: string,
  file: MediaFile,
  sent: ImageFormat,
): Promise<MediaFile> => {
  if (fits(file, sent)) return file
  const storageKey = derivedKeyOf(workspaceId, file.id, sent)
  const known = await findDerived(ctx, storageKey, maxAgeMs)
  if (known && 'failure' in known) throw conversionError(file.originalFilename, rememberedAs(known.failure))
  const facts = known ?? (await derive(ctx, storageKey, file, sent))
  return { ...file, ...facts, storageKey, mimeType: targetTypeOf(sent) }
}
