import type { Context } from '../../context.ts'
import { retryOnConflict } from '../../db/retry-on-conflict.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { concurrentUpdate } from './refusals.ts'

/**
 * Changes a post for a caller. If its conditions no longer hold at the write, the change is decided again on fresh
 * rows, so that the response describes what happened: `post` is undefined once it is deleted, and `lost` is true from
 * the second try on. Throws 409 `concurrent_update` if the post keeps changing.
 */
export const onFreshPost = <T>(
  ctx: Context,
  first: Post,
  change: (post: Post | undefined, lost: boolean) => Promise<T>,
): Promise<T> =>
  retryOnConflict({ tries: 6, refusal: concurrentUpdate }, async (isFirst) =>
    change(isFirst ? first : await posts.get(ctx, first), !isFirst),
  )
