import type { PlatformCall } from '../adapter.ts'
import { PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'

/**
 * Adds to a live video what YouTube accepts only for an existing video. No failure here fails the video: returns what to
 * tell the author instead, a sentence that begins with `failed`. `reasonOf` describes errors of the platform better than
 * their message.
 */
export const giveBeside = async (
  { ctx, post }: PlatformCall,
  failed: string,
  give: () => Promise<unknown>,
  reasonOf: (error: unknown) => string | undefined = () => undefined,
): Promise<string | undefined> => {
  try {
    await give()
    return undefined
  } catch (error) {
    ctx.log.warn('video is live without a part', { platform: definition.id, postId: post.id, reason: String(error) })
    const message = error instanceof PlatformError ? error.message : 'the call failed.'
    return `${failed}: ${reasonOf(error) ?? message}`
  }
}
