import * as z from 'zod/mini'
import { assistantActor } from '../../audit/actor.ts'
import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { described } from '../../http/described.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { countPosts, sumMoves } from '../counts.ts'
import { postEvent } from '../event.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { changeable, mayBeLive } from '../lifecycle/state.ts'
import { endLiveWork } from '../live-work/pending.ts'
import { readTexts } from '../texts.ts'
import { assertThreadHead, threadOf } from '../thread.ts'
import { releaseCap } from '../x-cap.ts'
import { onFreshPost } from './on-fresh-post.ts'
import { assertNotInFlight } from './refusals.ts'

/**
 * The response of a deletion; `mayBeLive` if an attempt was never reconciled. Decided: if part of it is live on the
 * platform, `published` contains the URL of the post, because the record with the URL is gone.
 */
export const Deleted = z.object({
  id: described(z.string(), 'The ID of the post.'),
  deleted: described(z.boolean(), 'Whether the record is gone. False with `live=true`, which leaves it.'),
  liveDeletion: described(
    z.optional(z.enum(['pending', 'done'])),
    'Present with `live=true`. `pending`: the platform is being asked; an event tells the end. `done`: the live post is gone.',
  ),
  mayBeLive: described(
    z.optional(z.boolean()),
    'Present and true if an earlier attempt to publish has an unknown outcome. Check the platform.',
  ),
  published: described(z.optional(z.literal(true)), 'Present and true if the post is live. It stays on the platform.'),
  publishedPostUrl: described(
    z.optional(z.nullable(z.string())),
    'The URL of the live post; present with `published`, null if the platform gave none.',
  ),
})
export type Deleted = z.infer<typeof Deleted>

const removeOnce = async (ctx: Context, workspace: Workspace, post: Post): Promise<Deleted> => {
  const now = ctx.clock.now()
  const thread = await threadOf(ctx, post)
  // When a whole thread is live, any of its records can be deleted separately: nothing more will be sent for it.
  const isOver = thread.every(({ status }) => status === 'published')
  if (!isOver) assertThreadHead(post)
  const whole = isOver && (post.thread?.index ?? 0) > 0 ? [post] : thread
  for (const one of whole) assertNotInFlight(one, 'delete', now)
  const atPlatform = await endLiveWork(ctx, whole)
  const rows = whole.map((tweet) => ({ delete: posts.key(tweet), when: changeable(tweet, now) }))
  const scheduled = whole.filter(({ status }) => status === 'scheduled')
  const textOf = await readTexts(ctx, scheduled)
  const events = scheduled.map((tweet) => {
    const after: Post = { ...tweet, status: 'cancelled', sequence: tweet.sequence + 1 }
    return postEvent('post.cancelled', after, textOf(tweet), {})
  })
  const moves = sumMoves(whole.map((tweet) => ({ post: tweet, from: tweet.status })))
  await commitWithEvents(ctx, workspace, () => ({
    writes: [...rows, ...atPlatform, ...releaseCap(workspace, scheduled)],
    counts: () => countPosts(workspace.id, moves),
    events,
    audit: {
      by: assistantActor(ctx),
      action: 'post.deleted',
      target: { type: 'post', id: post.id },
      before: { status: post.status, scheduledAt: post.scheduledAt, posts: whole.length },
    },
  }))
  const live = whole.find(({ status }) => status === 'published')
  return {
    id: post.id,
    deleted: true,
    ...(whole.some(mayBeLive) ? { mayBeLive: true } : {}),
    ...(live ? { published: true as const, publishedPostUrl: live.publishedPostUrl } : {}),
  }
}

/**
 * Deletes the record of a post; for the first tweet of a thread, of all its tweets. Cancels scheduled posts. Live posts stay
 * on the platform, so the record stays while a live change is pending. Concurrent calls all return 200 once one of them has
 * deleted it.
 */
export const deletePost = (ctx: Context, workspace: Workspace, post: Post): Promise<Deleted> =>
  onFreshPost<Deleted>(ctx, post, async (now) =>
    now === undefined ? { id: post.id, deleted: true } : removeOnce(ctx, workspace, now),
  )
