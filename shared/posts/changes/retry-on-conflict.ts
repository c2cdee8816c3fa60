import type { Context } from '../../context.ts'
import { TransactionFailed } from '../../db/table.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { concurrentUpdate } from './refusals.ts'

/** How often a change that keeps losing is decided again. */
const maxTries = 6

/**
 * Changes a post for a caller. If its conditions no longer hold at the write, the change is decided again on fresh
 * rows, so that the response describes what happened: `post` is undefined once it is deleted, and `lost` is true from
 * the second try on. Throws 409 `concurrent_update` if the post keeps changing.
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
