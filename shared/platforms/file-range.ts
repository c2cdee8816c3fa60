import { streamRange } from '../aws/bucket.ts'
import type { Context } from '../context.ts'
import type { MediaFile } from '../media/media-file.ts'
import type { RequestBody } from './http.ts'

/** A range of a file as a request body, both ends inclusive; it is read from the bucket while it is sent. */
export const fileRange = (
  ctx: Context,
  { storageKey, mimeType }: Pick<MediaFile, 'storageKey' | 'mimeType'>,
  from: number,
  to: number,
): RequestBody => ({
  type: mimeType,
  bytes: { bytes: to - from + 1, open: () => streamRange(ctx, storageKey, from, to) },
})
