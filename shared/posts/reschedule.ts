import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { batchGet, TransactionFailed, transact, type Write } from '../db/table.ts'
import { wake } from '../db/wake.ts'
import { Refusal } from '../errors.ts'
import { ulid } from '../ids.ts'
import { useMedia } from '../media/use.ts'
import { recordEvents } from '../webhooks/event.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { demandSound } from './accept.ts'
import { layBodies, readBodies } from './body.ts'
import { changeable, justChanged } from './changeable.ts'
import { firstWakeMs, startPost } from './dispatch.ts'
import { nudge } from './finish.ts'
import { demandFits } from './fits.ts'
import { futureMoment } from './moment.ts'
import { metadataOf, type Post, type PostView, packMetadata, viewPost } from './post.ts'
import type { ReschedulePostRequest } from './requests.ts'
import { planKeys, planPosts } from './resolve.ts'
import { countPosts, moveStatus, postEvent } from './transition.ts'

type Request = z.infer<typeof ReschedulePostRequest>

/** The post as the request would make it, checked by the very rules of scheduling. */
const replan = async (ctx: Context, workspace: Workspace, post: Post, text: string, request: Request) => {
  const mediaUrl = ctx.env('MEDIA_URL')
  const full = {
    socialAccountIds: [post.socialAccountId],
    content: request.content ?? text,
    metadata: request.metadata ?? { [post.platform]: metadataOf(post) },
    mediaUrls: request.mediaUrls ?? post.media.map((media) => media.id),
  }
  const plan = planPosts(workspace.id, mediaUrl, full, await batchGet(ctx, planKeys(workspace.id, mediaUrl, full)))
  demandSound(plan)
  const [planned] = plan.posts
  if (!planned) throw new Error(`the plan of post ${post.id} is empty`)
  return planned
}

/**
 * Gives a scheduled or failed post a new time, and new content where the request has it. An attempt that was never
 * settled stays journaled: the publisher settles it before it sends again (pipeline rule 3).
 */
export const reschedulePost = async (
  ctx: Context,
  workspace: Workspace,
  post: Post,
  request: Request,
): Promise<PostView> => {
  if (post.status !== 'scheduled' && post.status !== 'failed') {
    throw new Refusal('invalid', `Only a scheduled or failed post can be rescheduled; this one is ${post.status}.`, {
      code: 'wrong_status',
    })
  }
  const now = ctx.clock.now()
  const when = changeable(post, now)
  const scheduledAt = futureMoment(request.scheduledAt, now)
  const text = (await readBodies(ctx, [post]))(post)
  const planned = await replan(ctx, workspace, post, text, request)
  const version = post.version + 1
  const bodies = layBodies(workspace.id, `${post.id}v${version}`)
  const placed =
    planned.content === text ? { content: post.content, bodyId: post.bodyId } : bodies.place(planned.content)
  const after: Post = {
    ...post,
    ...placed,
    status: 'scheduled',
    metadata: packMetadata(planned.metadata),
    media: planned.media,
    scheduledAt,
    scheduledAtMs: Date.parse(scheduledAt),
    error: null,
    version,
    sequence: post.sequence + 1,
  }
  const { scheduledAtMs, metadata, media } = after
  const body = placed.bodyId === undefined ? { content: placed.content } : { bodyId: placed.bodyId }
  const stale = [
    'held',
    'prepared',
    'resume',
    'prepareLeaseUntilMs',
    'retries',
    'deadClaims',
    'notBeforeMs',
    'settleFromMs',
    'negativeProbes',
  ]
  const change = {
    set: {
      ...body,
      scheduledAt,
      scheduledAtMs,
      metadata,
      media,
      error: null,
      version,
      ...wake(post.id, firstWakeMs(after, now)),
    },
    remove: [
      ...stale,
      // The key of an attempt that was never settled is what finds it.
      ...(post.maybeLanded ? [] : ['clientKey']),
      placed.bodyId === undefined ? 'bodyId' : 'content',
      ...(metadata === undefined ? ['metadata'] : []),
    ],
  }
  const { row, moves } = moveStatus(post, 'scheduled', change, when)
  const outboxId = ulid(now)
  const event = postEvent('post.rescheduled', workspace, after, planned.content, now)
  const writes: Write[] = [
    row,
    ...bodies.writes(),
    ...useMedia(workspace.id, post.id, media, scheduledAtMs),
    ...recordEvents(outboxId, workspace.id, [event], now),
  ]
  demandFits(writes)
  try {
    await transact(ctx, () => [...writes, ...countPosts(workspace.id, moves)])
  } catch (error) {
    if (error instanceof TransactionFailed) throw justChanged()
    throw error
  }
  await Promise.all([startPost(ctx, after), nudge(ctx, workspace.id, outboxId)])
  return viewPost(after, planned.content)
}
