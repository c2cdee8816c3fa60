import * as z from 'zod/mini'
import { recordByAssistant } from '../../audit/by-assistant.ts'
import type { Context } from '../../context.ts'
import { transact } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { eventIdAt } from '../../events/cursor.ts'
import { enqueueRelay } from '../../events/enqueue-relay.ts'
import { recordEvents } from '../../events/outbox.ts'
import { described } from '../../http/described.ts'
import { ulid } from '../../ids.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { countPosts, sumMoves } from '../counts.ts'
import { postEvent } from '../event.ts'
import { assertMayChangePosts } from '../intake/safety.ts'
import { cancel } from '../lifecycle/cancel.ts'
import type { Post } from '../lifecycle/row.ts'
import { mayBeLive } from '../lifecycle/state.ts'
import { PostView, viewPost } from '../reading/view.ts'
import { readTexts } from '../texts.ts'
import { assertThreadHead, threadOf } from '../thread.ts'
import { releaseCap } from '../x-cap.ts'
import { assertNotInFlight, postNotFound } from './refusals.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

/** A cancelled post; `mayBeLive` if an earlier attempt was never reconciled. */
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
  assertMayChangePosts(ctx)
  assertThreadHead(post)
  const now = ctx.clock.now()
  const thread = await threadOf(ctx, post)
  const whole = thread.filter(({ status }) => status === 'scheduled')
  if (whole.length === 0) {
    // A concurrent call has already cancelled the post, as this call wanted.
    if (lost && thread.some(({ status }) => status === 'cancelled')) {
      return shown(post, (await readTexts(ctx, [post]))(post))
    }
    throw new Refusal('invalid', `Only a scheduled post can be cancelled. This one is ${post.status}.`, {
      code: 'invalid_post_status',
    })
  }
  const textOf = await readTexts(ctx, [post, ...whole])
  for (const one of whole) assertNotInFlight(one, 'cancel', now)
  const moves = sumMoves(whole.map((one) => ({ post: one, from: one.status, to: 'cancelled' as const })))
  const outboxId = ulid(now)
  const rows = whole.map((one, n) => cancel(one, now, eventIdAt(outboxId, n)))
  const cancellations = whole.map((one, n) =>
    postEvent(eventIdAt(outboxId, n), 'post.cancelled', workspace, cancelled(one), textOf(one), now, {}),
  )
  const events = recordEvents(ctx, outboxId, workspace.id, cancellations)
  const released = releaseCap(workspace.id, whole)
  const audit = recordByAssistant(ctx, {
    workspaceId: workspace.id,
    action: 'post.cancelled',
    target: { type: 'post', id: post.id },
    before: { scheduledAt: post.scheduledAt, posts: whole.length },
  })
  await transact(ctx, () => [...rows, ...events, ...released, ...audit, ...countPosts(workspace.id, moves)])
  await enqueueRelay(ctx, workspace.id, outboxId)
  return shown(post.status === 'scheduled' ? cancelled(post) : post, textOf(post))
}

/**
 * Cancels a scheduled post; for the first tweet of a thread, all tweets that are not live. Returns 200 if the post
 * never goes out, and 409 if it is already being published. Concurrent calls all return 200 once one of them has
 * cancelled it.
 */
export const cancelPost = (ctx: Context, workspace: Workspace, post: Post): Promise<Cancelled> =>
  retryOnConflict(ctx, post, async (now, lost) => {
    if (now === undefined) throw postNotFound(post.id)
    return cancelOnce(ctx, workspace, now, lost)
  })
