import * as z from 'zod/mini'
import { assistantActor } from '../../audit/actor.ts'
import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import { described } from '../../http/described.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { countPosts, sumMoves } from '../counts.ts'
import { postEvent } from '../event.ts'
import type { Post } from '../lifecycle/row.ts'
import { mayBeLive } from '../lifecycle/state.ts'
import { cancel } from '../lifecycle/writes.ts'
import { postNotFound } from '../reading/find.ts'
import { PostView, viewPost } from '../reading/view.ts'
import { readTexts } from '../texts.ts'
import { assertThreadHead, threadOf } from '../thread.ts'
import { releaseCap } from '../x-cap.ts'
import { onFreshPost } from './on-fresh-post.ts'
import { assertNotInFlight } from './refusals.ts'

/** A canceled post; `mayBeLive` if an earlier attempt was never reconciled. */
export const Cancelled = z.extend(PostView, {
  mayBeLive: described(
    z.optional(z.boolean()),
    'Present and true if an earlier attempt to publish has an unknown outcome. Check the platform.',
  ),
})
type Cancelled = z.infer<typeof Cancelled>

const cancelled = (post: Post): Post => ({
  ...post,
  status: 'cancelled',
  version: post.version + 1,
  sequence: post.sequence + 1,
})

const shown = (post: Post, text: string): Cancelled => ({
  ...viewPost(post, text),
  ...(mayBeLive(post) ? { mayBeLive: true } : {}),
})

const cancelOnce = async (ctx: Context, workspace: Workspace, post: Post, lost: boolean): Promise<Cancelled> => {
  assertThreadHead(post)
  const now = ctx.clock.now()
  const thread = await threadOf(ctx, post)
  // The thread is read later than the post, and may have started publishing in the meantime.
  const head = thread.find(({ id }) => id === post.id) ?? post
  const whole = thread.filter(({ status }) => status === 'scheduled')
  if (whole.length === 0) {
    // A concurrent call has already cancelled the post, as this call wanted.
    if (lost && thread.some(({ status }) => status === 'cancelled')) {
      return shown(head, (await readTexts(ctx, [head]))(head))
    }
    throw new Refusal('invalid', `Only a scheduled post can be canceled. This one is ${head.status}.`, {
      code: 'invalid_post_status',
    })
  }
  const textOf = await readTexts(ctx, [head, ...whole])
  for (const one of whole) assertNotInFlight(one, 'cancel', now)
  const moves = sumMoves(whole.map((tweet) => ({ post: tweet, from: tweet.status, to: 'cancelled' as const })))
  await commitWithEvents(ctx, workspace, (eventId) => ({
    writes: [...whole.map((tweet, n) => cancel(tweet, now, eventId(n))), ...releaseCap(workspace, whole)],
    counts: () => countPosts(workspace.id, moves),
    events: whole.map((tweet) => postEvent('post.cancelled', cancelled(tweet), textOf(tweet), {})),
    audit: {
      by: assistantActor(ctx),
      action: 'post.cancelled',
      target: { type: 'post', id: post.id },
      before: { scheduledAt: post.scheduledAt, posts: whole.length },
    },
  }))
  return shown(head.status === 'scheduled' ? cancelled(head) : head, textOf(head))
}

/**
 * Cancels a scheduled post; for the first tweet of a thread, all tweets that are not live. Returns 200 if the post is never
 * published, and 409 if it is already being published. Concurrent calls all return 200 once one of them has cancelled it.
 */
export const cancelPost = (ctx: Context, workspace: Workspace, post: Post): Promise<Cancelled> =>
  onFreshPost(ctx, post, async (now, lost) => {
    if (now === undefined) throw postNotFound(post.id)
    return cancelOnce(ctx, workspace, now, lost)
  })
