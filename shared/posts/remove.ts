import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { TransactionFailed, transact } from '../db/table.ts'
import { ulid } from '../ids.ts'
import { recordEvents } from '../webhooks/event.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { readBodies } from './body.ts'
import { changeable, justChanged } from './changeable.ts'
import { nudge } from './finish.ts'
import { type Post, posts } from './post.ts'
import { countPosts, postEvent, sumMoves } from './transition.ts'

/** What a deletion answers; `mayBeLive` where an attempt was never settled. */
export const Deleted = z.object({ id: z.string(), deleted: z.literal(true), mayBeLive: z.optional(z.boolean()) })

/** Deletes our record of a post; a scheduled one is cancelled by it. What is live on the platform stays there. */
export const removePost = async (ctx: Context, workspace: Workspace, post: Post): Promise<z.infer<typeof Deleted>> => {
  const now = ctx.clock.now()
  const when = changeable(post, now)
  const outboxId = ulid(now)
  const scheduled = post.status === 'scheduled'
  const text = scheduled ? (await readBodies(ctx, [post]))(post) : ''
  const after: Post = { ...post, status: 'cancelled', sequence: post.sequence + 1 }
  const events = scheduled ? [postEvent('post.cancelled', workspace, after, text, now)] : []
  const moves = sumMoves([{ post, from: post.status }])
  try {
    await transact(ctx, () => [
      { delete: posts.key(post), when },
      ...recordEvents(outboxId, workspace.id, events, now),
      ...countPosts(workspace.id, moves),
    ])
  } catch (error) {
    if (error instanceof TransactionFailed) throw justChanged()
    throw error
  }
  if (scheduled) await nudge(ctx, workspace.id, outboxId)
  return { id: post.id, deleted: true, ...(post.maybeLanded ? { mayBeLive: true } : {}) }
}
