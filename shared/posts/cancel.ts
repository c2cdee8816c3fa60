import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { TransactionFailed, transact } from '../db/table.ts'
import { asleep } from '../db/wake.ts'
import { Refusal } from '../errors.ts'
import { ulid } from '../ids.ts'
import { recordEvents } from '../webhooks/event.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { readBodies } from './body.ts'
import { changeable, justChanged } from './changeable.ts'
import { nudge } from './finish.ts'
import { type Post, PostView, viewPost } from './post.ts'
import { countPosts, moveStatus, postEvent } from './transition.ts'

/** A cancelled post; `mayBeLive` where an earlier attempt was never settled. */
export const Cancelled = z.extend(PostView, { mayBeLive: z.optional(z.boolean()) })
type Cancelled = z.infer<typeof Cancelled>

/** Cancels a scheduled post: 200 and it never goes out, or 409 because it is on its way. */
export const cancelPost = async (ctx: Context, workspace: Workspace, post: Post): Promise<Cancelled> => {
  if (post.status !== 'scheduled') {
    throw new Refusal('invalid', `Only a scheduled post can be cancelled; this one is ${post.status}.`, {
      code: 'wrong_status',
    })
  }
  const now = ctx.clock.now()
  const when = changeable(post, now)
  const text = (await readBodies(ctx, [post]))(post)
  const after: Post = { ...post, status: 'cancelled', version: post.version + 1, sequence: post.sequence + 1 }
  const change = { remove: [...asleep, 'prepared', 'resume'], add: { version: 1 } }
  const { row, moves } = moveStatus(post, 'cancelled', change, when)
  const outboxId = ulid(now)
  const event = postEvent('post.cancelled', workspace, after, text, now)
  try {
    const events = recordEvents(outboxId, workspace.id, [event], now)
    await transact(ctx, () => [row, ...events, ...countPosts(workspace.id, moves)])
  } catch (error) {
    if (error instanceof TransactionFailed) throw justChanged()
    throw error
  }
  await nudge(ctx, workspace.id, outboxId)
  return { ...viewPost(after, text), ...(post.maybeLanded ? { mayBeLive: true } : {}) }
}
