import { readObject } from '../aws/bucket.ts'
import { findDerived, putDerived, putUnmade } from '../aws/derived-file.ts'
import type { Context } from '../context.ts'
import { derivedKeyOf, fits, typeFor } from './convert/form.ts'
import { makeImage } from './convert/image-process.ts'
import { makeTurns } from './convert/turn.ts'
import { type Costly, isCostly, NotMade, type Unmade } from './convert/work.ts'
import type { ImageFormat } from './image-format.ts'
import type { MediaFile } from './media-file.ts'

/** The bucket drops a derived file after seven days; one that a platform has yet to fetch must not be about to go. */
const maxAgeMs = 6 * 86_400_000

const inTurn = makeTurns()

/**
 * Decided: what waits longer than this for other images is tried again later. A worker has a minute for all messages of a
 * batch, and one image may take 45 seconds of it.
 */
const mostWaitMs = 10_000

const saveAnew = 'Save it again with another program, upload that file'

const whyNot: Readonly<Record<Costly, string>> = {
  time: `takes too long to convert. ${saveAnew}`,
  memory: `takes too much memory to convert. ${saveAnew}`,
  crashed: `cannot be converted. ${saveAnew}`,
}

/** An image could not be converted. The message is a sentence for the author of the post. */
export class ConversionError extends Error {
  override name = 'ConversionError'
  /** Another try may succeed. */
  readonly isTemporary: boolean
  constructor(message: string, isTemporary = false) {
    super(message)
    this.isTemporary = isTemporary
  }
}

const conversionError = (name: string, unmade: Unmade): ConversionError => {
  const refuse = (why: string) => new ConversionError(`${name} ${why}, then reschedule the post.`)
  switch (unmade.why) {
    case 'late':
      return new ConversionError(`${name} was not converted in time.`, true)
    case 'damaged':
      return refuse('is damaged and cannot be read as an image. Upload it again')
    case 'pixels':
      return refuse(`has ${unmade.width} x ${unmade.height} pixels, too many to convert. Upload a smaller image`)
    default:
      return refuse(whyNot[unmade.why])
  }
}

const rememberedAs = (why: string): Unmade => ({ why: isCostly(why) ? why : 'crashed' })

const derive = async (ctx: Context, storageKey: string, file: MediaFile, sent: ImageFormat) => {
  const make = async () => makeImage({ kind: 'convert', bytes: await readObject(ctx, file.storageKey), sent })
  try {
    return await inTurn(ctx, async () => putDerived(ctx, storageKey, await make()), mostWaitMs)
  } catch (error) {
    if (!(error instanceof NotMade)) throw error
    const { why } = error.unmade
    ctx.log.warn('an image was not converted', { assetId: file.id, reason: error.message })
    if (isCostly(why)) await putUnmade(ctx, storageKey, why)
    throw conversionError(file.originalFilename, error.unmade)
  }
}

/**
 * An image as a platform takes it: itself where it fits already, else a smaller one of the type the platform likes
 * best, upright and without what cameras write beside the picture. It is made once and found again; so is that it cost too
 * much to make. Throws `ConversionError`.
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
  if (known && 'unmade' in known) throw conversionError(file.originalFilename, rememberedAs(known.unmade))
  const facts = known ?? (await derive(ctx, storageKey, file, sent))
  return { ...file, ...facts, storageKey, mimeType: typeFor(sent) }
}
