import * as z from 'zod/mini'
import { isGone, readObject } from '../../aws/bucket.ts'
import type { PlatformCall } from '../adapter.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type ErrorResponse, sendRequest } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import type { OutgoingPost } from '../post.ts'
import { giveBeside } from './beside.ts'
import { definition } from './definition.ts'
import { classifyYouTubeError } from './errors.ts'

/** The image of a thumbnail, as journaled: converted, where YouTube needs it. */
export const Thumbnail = z.object({ storageKey: z.string(), mimeType: z.string() })
type Thumbnail = z.infer<typeof Thumbnail>

export const thumbnailOf = ({ assets }: OutgoingPost): Thumbnail | undefined => {
  const file = assets['thumbnailMediaAssetId']
  return file && { storageKey: file.storageKey, mimeType: file.mimeType }
}

/** Both tries fit into the rest of the function's minute after the publishing call. */
const totalMs = 5_000
const betweenTriesMs = 2_000

const classifyError = (answer: ErrorResponse): PlatformError => {
  const error = classifyYouTubeError(answer)
  // In its first seconds, a video is not visible everywhere.
  if (answer.status === 404) return new PlatformError('transient', 'YouTube did not find the video.', error.info)
  if (error.errorClass !== 'invalid') return error
  return new PlatformError('invalid', `YouTube rejected the image: ${error.info.detail}`, error.info)
}

/** One call, which replaces an earlier thumbnail (YouTube Data API, thumbnails.set). */
const send = ({ ctx, account }: PlatformCall, videoId: string, type: string, bytes: Uint8Array) =>
  sendRequest(ctx, {
    platform: definition,
    method: 'POST',
    base: baseUrlOf(ctx, definition, 'api'),
    path: '/upload/youtube/v3/thumbnails/set',
    query: { videoId },
    headers: { authorization: `Bearer ${tokenOf(account)}` },
    body: { type, bytes },
    totalMs,
    classifyError,
  })

const reasonOf = (error: unknown): string | undefined => {
  if (isGone(error)) return 'the image was deleted.'
  const isForbidden = error instanceof PlatformError && error.info.code === 'forbidden'
  return isForbidden ? 'the channel must be verified for it, at youtube.com/verify.' : undefined
}

/** Sets the thumbnail of a live video; returns what to tell the author if that fails. */
export const setThumbnail = (
  call: PlatformCall,
  videoId: string,
  { storageKey, mimeType }: Thumbnail,
): Promise<string | undefined> => {
  const { ctx } = call
  const give = async () => {
    const bytes = await readObject(ctx, storageKey)
    await send(call, videoId, mimeType, bytes).catch(async (error: unknown) => {
      if (!(error instanceof PlatformError) || error.errorClass !== 'transient') throw error
      await ctx.clock.sleep(betweenTriesMs)
      return send(call, videoId, mimeType, bytes)
    })
  }
  return giveBeside(call, 'The thumbnail was not set', give, reasonOf)
}
