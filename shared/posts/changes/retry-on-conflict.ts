import type { Context } from '../../context.ts'
import { TransactionFailed } from '../../db/table.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { concurrentUpdate } from './refusals.ts'

/** How often a change that keeps losing is decided anew. */
const maxTries = 6

/**
 * Changes a post on behalf of a caller. A change whose conditions no longer hold when it is written is decided again by the
 * rows as they are then, so the answer says what happened: `post` is undefined once it is deleted, `lost` is true from the
 * second try on. Throws 409 `concurrent_update` where the post keeps changing.
 */
export const retryOnConflict = async <T>(
  ctx: Context,
  first: Post,
  change: (post: Post | undefined, lost: boolean) => Promise<T>,
): Promise<T> => {
  let post: Post | undefined = first
  for (let tries = 1; ; tries += 1) {
    try {
      return await change(post, tries > 1)
    } catch (error) {
      if (!(error instanceof TransactionFailed)) throw error
      if (tries >= maxTries) throw concurrentUpdate()
      post = await posts.get(ctx, first)
    }
  }
}
