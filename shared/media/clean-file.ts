import { readRange, statObject } from '../aws/bucket.ts'
import { derivedAs } from '../aws/derived-file.ts'
import { joinFile } from '../aws/join-file.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { asCleaned, cleanKeyOf, findCleaned } from './cleaned-file.ts'
import { ConversionError, NotConverted } from './conversion-error.ts'
import { openSource } from './inspect/source.ts'
import { inspectFile } from './inspect.ts'
import type { MediaFile } from './media-file.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { MediaType } from './types.ts'

const enqueue = oneAtATime()

const clean = async (ctx: Context, workspaceId: string, file: MediaFile): Promise<MediaFile> => {
  const { storageKey: from, mimeType, width = 0, height = 0 } = file
  const to = cleanKeyOf(workspaceId, file)
  const { etag, fileSize } = await statObject(ctx, from)
  const load = (first: number, end: number) => readRange(ctx, from, { from: first, to: end - 1, etag })
  try {
    const { pieces } = await inspectFile(await openSource(fileSize, load), mimeType as MediaType)
    const storedAs = derivedAs(ctx, { width, height })
    return asCleaned(file, to, await joinFile(ctx, { pieces, from, etag, to, mimeType, storedAs }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Accepted by an earlier release, and not by this one.
    ctx.log.warn('metadata of a file was not removed', { assetId: file.id, reason: error.message })
    throw new ConversionError(
      `${file.originalFilename} cannot be sent without its metadata. Upload it again, then reschedule the post.`,
    )
  }
}

/**
 * Removes the metadata of a file that an earlier release stored with it. The result is stored and reused. Throws
 * `ConversionError` if the file is not accepted anymore, or `NotConverted` if another try may succeed.
 */
export const cleanFile = async (ctx: Context, workspaceId: string, file: MediaFile): Promise<MediaFile> => {
  const cleaned = await findCleaned(ctx, workspaceId, file)
  if (cleaned !== undefined) return cleaned
  return enqueue(
    ctx,
    () => clean(ctx, workspaceId, file),
    () => new NotConverted(`${file.originalFilename} was not cleaned in time.`),
  )
}
