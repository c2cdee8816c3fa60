import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Post } from '../lifecycle/row.ts'
import { assertThreadHead, threadOf } from '../thread.ts'

/** The posts that get a new time: the post, or all tweets of its thread that are not live. */
export const movable = async (ctx: Context, post: Post): Promise<Post[]> => {
  assertThreadHead(post)
  const whole = await threadOf(ctx, post)
  const open = whole.filter(({ status }) => status === 'scheduled' || status === 'failed')
  if (open.length > 0) return open
  throw new Refusal('invalid', `Only a scheduled or failed post can be rescheduled. This one is ${post.status}.`, {
    code: 'invalid_post_status',
  })
}

/** The post, if it can be changed without a new time; any tweet of a thread can. */
export const editable = (post: Post): Post => {
  if (post.status === 'scheduled') return post
  if (post.status === 'failed') {
    throw new Refusal('invalid', 'The post has failed. Send "scheduledAt" as well: when to publish it again.', {
      code: 'invalid_post_status',
      field: 'scheduledAt',
    })
  }
  throw new Refusal('invalid', `Only a scheduled or failed post can be changed. This one is ${post.status}.`, {
    code: 'invalid_post_status',
  })
}
