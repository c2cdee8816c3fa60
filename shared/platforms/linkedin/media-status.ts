import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { askLinkedIn } from './api.ts'

const Status = z.object({ status: z.string(), processingFailureReason: z.optional(z.string()) })

/**
 * `hidden`: members may not ask for their images, and perhaps not for their videos (LinkedIn, Images API and Videos
 * API).
 */
export type MediaStatus = 'ready' | 'processing' | 'hidden'

/** How far LinkedIn is with an image or video. What it cannot use is refused. */
export const readMediaStatus = async (
  { ctx, account }: PlatformCall,
  kind: 'images' | 'videos',
  urn: string,
): Promise<MediaStatus> => {
  const request = { token: tokenOf(account), path: `/rest/${kind}/{urn}`, params: { urn }, reply: Status }
  const found = await askLinkedIn(ctx, request).catch((error: unknown) => {
    if (error instanceof PlatformError && error.facts.httpStatus === 403) return undefined
    throw error
  })
  if (found === undefined) return 'hidden'
  if (found.status === 'PROCESSING_FAILED') {
    const why = found.processingFailureReason ?? 'no reason given'
    throw new PlatformError('invalid', `LinkedIn could not process the media: ${why}.`, { code: found.status })
  }
  return found.status === 'AVAILABLE' ? 'ready' : 'processing'
}
