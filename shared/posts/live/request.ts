import { assistantActor } from '../../audit/actor.ts'
import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { absent } from '../../db/expression.ts'
import { Refusal } from '../../errors/refusal.ts'
import { livePosts } from '../../platforms/registry/live-posts.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Deleted } from '../changes/delete.ts'
import { onFreshPost } from '../changes/on-fresh-post.ts'
import { orBudgetExceeded, takeBudget } from '../intake/safety.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { unchanged } from '../lifecycle/state.ts'
import { liveDeletions, liveDeletionWork } from '../live-work/work.ts'
import { postNotFound } from '../reading/find.ts'

const unsupported = (message: string) => new Refusal('invalid', message, { code: 'live_deletion_not_supported' })

/** Throws if a post cannot be removed from its platform. */
const assertDeletable = (post: Post): void => {
  if (post.status !== 'published') {
    const text = `Only a published post can be deleted at its platform. This one is ${post.status}.`
    throw new Refusal('invalid', text, { code: 'invalid_post_status' })
  }
  const isOffered = livePosts[post.platform].deletion
  if (isOffered !== true) throw unsupported(`${isOffered} Delete the post there.`)
  if (!post.platformPostId) throw unsupported('The platform did not say which post it is. Delete the post there.')
}

/**
 * Accepts the removal of a live post from its platform; its record stays. Repeated calls change nothing while it is being
 * removed, and once it is.
 */
export const requestLiveDeletion = (ctx: Context, workspace: Workspace, first: Post): Promise<Deleted> =>
  onFreshPost(ctx, first, async (post): Promise<Deleted> => {
    if (post === undefined) throw postNotFound(first.id)
    assertDeletable(post)
    const { id, workspaceId, socialAccountId, platform } = post
    if (post.liveDeletedAtMs !== undefined) return { id, deleted: false, liveDeletion: 'done' }
    const pending = { id, deleted: false, liveDeletion: 'pending' } as const
    if ((await liveDeletions.get(ctx, post)) !== undefined) return pending
    const now = ctx.clock.now()
    const row = { id, workspaceId, socialAccountId, platform, requestedAtMs: now, failedTries: 0 }
    const written = commitWithEvents(ctx, workspace, () => ({
      writes: [
        ...takeBudget(ctx, workspaceId, 1),
        { ...liveDeletionWork.beginWrite(row, now), when: absent('PK') },
        { check: posts.key(post), when: unchanged(post) },
      ],
      events: [],
      audit: {
        by: assistantActor(ctx),
        action: 'post.live_deletion_requested',
        target: { type: 'post', id },
        before: { status: post.status, scheduledAt: post.scheduledAt, posts: 1 },
      },
      follow: () => liveDeletionWork.enqueue(ctx, row),
    }))
    await written.catch((error: unknown) => {
      throw orBudgetExceeded(ctx, 1, error)
    })
    return pending
  })
