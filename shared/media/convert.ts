import { readObject } from '../aws/bucket.ts'
import { findDerived, putDerived } from '../aws/derived-file.ts'
import { type Context, perContext } from '../context.ts'
import type { PostMedia, SentImage } from '../platforms/platform.ts'
import { decode } from './convert/decode.ts'
import { encode } from './convert/encode.ts'
import { derivedKeyOf, fits, typeFor } from './convert/form.ts'

/** The bucket drops a derived file after seven days; one that a platform has yet to fetch must not be about to go. */
const maxAgeMs = 6 * 86_400_000

const turns = perContext(() => ({ last: Promise.resolve<unknown>(undefined) }))

/** One image at a time: decoded, a few of them would fill the memory of a function. */
const inTurn = <T>(ctx: Context, make: () => Promise<T>): Promise<T> => {
  const turn = turns(ctx)
  const mine = turn.last.then(make)
  turn.last = mine.catch(() => undefined)
  return mine
}

const derive = async (ctx: Context, storageKey: string, file: PostMedia, sent: SentImage) => {
  const picture = await decode(file.originalFilename, await readObject(ctx, file.storageKey), sent)
  return putDerived(ctx, storageKey, await encode(picture, sent))
}

/**
 * An image as a platform takes it: itself where it fits already, else a smaller one of the type the platform likes
 * best, upright and without what cameras write beside the picture. It is made once and found again.
 */
export const convertImage = async (
  ctx: Context,
  workspaceId: string,
  file: PostMedia,
  sent: SentImage,
): Promise<PostMedia> => {
  if (fits(file, sent)) return file
  const storageKey = derivedKeyOf(workspaceId, file.id, sent)
  const known = await findDerived(ctx, storageKey, maxAgeMs)
  const facts = known ?? (await inTurn(ctx, () => derive(ctx, storageKey, file, sent)))
  return { ...file, ...facts, storageKey, mimeType: typeFor(sent) }
}
