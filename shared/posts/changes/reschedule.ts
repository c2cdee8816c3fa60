import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { currentOrThrow } from '../../db/condition-failed.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import { batchGet, transact, type Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { eventIdAt } from '../../events/cursor.ts'
import { enqueueRelay } from '../../events/enqueue-relay.ts'
import { recordEvents } from '../../events/outbox.ts'
import { ulid } from '../../ids.ts'
import { recordMediaUse } from '../../media/media-use.ts'
import { checkLive } from '../../social-accounts/check-live.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { countPosts, sumMoves } from '../counts.ts'
import { firstSweepMs, schedulePost } from '../dispatch/schedule.ts'
import { postEvent } from '../event.ts'
import { assertValidPlan } from '../intake/accept.ts'
import { assertFitsTransaction } from '../intake/fits.ts'
import { futureMoment } from '../intake/future-moment.ts'
import { type PlannedPost, planAccounts, planKeys } from '../intake/plan.ts'
import type { ReschedulePostRequest } from '../intake/requests.ts'
import { reschedule as rescheduleRow } from '../lifecycle/reschedule.ts'
import { metadataOf, type Post, packMetadata } from '../lifecycle/row.ts'
import { type PostView, viewPost } from '../reading/view.ts'
import { readTexts, splitLongTexts } from '../texts.ts'
import { assertThreadHead, threadOf } from '../thread.ts'
import { capExceeded, capWrite, monthOf, releaseCap, takeCap } from '../x-cap.ts'
import { assertNotInFlight, postNotFound } from './refusals.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

type Request = z.infer<typeof ReschedulePostRequest>

/** Plans the post as the request changes it, by the same rules as scheduling. */
const replan = async (
  ctx: Context,
  workspace: Workspace,
  { post, text, request }: { post: Post; text: string; request: Request },
): Promise<PlannedPost> => {
  const full = {
    socialAccountIds: [post.socialAccountId],
    content: request.content ?? text,
    metadata: request.metadata ?? { [post.platform]: metadataOf(post) },
    mediaUrls: request.mediaUrls ?? post.media.map((media) => media.id),
  }
  const momentMs = Date.parse(request.scheduledAt)
  const found = await batchGet(ctx, planKeys(workspace.id, ctx.env('MEDIA_URL'), full, momentMs))
  // The post may already hold a place in the cap; the transaction takes the missing ones.
  const plan = await planAccounts({ ctx, workspace, found, momentMs, checkLive }, full)
  assertValidPlan(plan)
  const [planned] = plan.posts
  if (!planned) throw new Error(`the plan of post ${post.id} is empty`)
  return planned
}

/** A post with its new time; `planned` is its new content, if the request changes it. */
interface Moved {
  before: Post
  after: Post
  content: string
}

const move = (
  post: Post,
  content: string,
  change: {
    scheduledAt: string
    planned: PlannedPost | undefined
    store: (text: string) => Pick<Post, 'content' | 'bodyId'>
  },
): Moved => {
  const { scheduledAt, planned, store } = change
  const stored =
    planned === undefined || planned.content === content
      ? { content: post.content, bodyId: post.bodyId }
      : store(planned.content)
  const made =
    planned === undefined
      ? {}
      : { metadata: packMetadata(planned.metadata), media: planned.media, assets: planned.assets }
  const scheduledAtMs = Date.parse(scheduledAt)
  const { reason: _, retrySafe: __, ...kept } = post
  const after: Post = {
    ...kept,
    ...stored,
    ...made,
    ...(post.platform === 'x' ? { capMonth: monthOf(scheduledAtMs) } : {}),
    status: 'scheduled',
    scheduledAt,
    scheduledAtMs,
    error: null,
    version: post.version + 1,
    sequence: post.sequence + 1,
  }
  return { before: post, after, content: planned?.content ?? content }
}

const rowOf = ({ before, after }: Moved, now: number, eventId: string): Write => {
  const { content, bodyId, scheduledAt, scheduledAtMs, metadata, media, assets, capMonth, version } = after
  const next = { content, bodyId, scheduledAt, scheduledAtMs, metadata, media, assets, capMonth, version }
  return rescheduleRow(before, next, sweepAt(after.id, firstSweepMs(after, now)), now, eventId)
}

/** The writes that take and release places in the monthly caps on X for a move. */
const capWrites = (workspace: Workspace, moved: readonly Moved[]) => {
  const changing = moved.filter(({ before, after }) => before.capMonth !== after.capMonth)
  const [month] = changing.flatMap(({ after }) => after.capMonth ?? [])
  const taken = month === undefined ? [] : takeCap(workspace, month, changing.length)
  return {
    taken,
    released: releaseCap(
      workspace.id,
      changing.map(({ before }) => before),
    ),
  }
}

/** The posts that a reschedule moves: the post, or all tweets of its thread that are not live. */
const movable = async (ctx: Context, post: Post): Promise<Post[]> => {
  assertThreadHead(post)
  const whole = await threadOf(ctx, post)
  const found = whole.filter(({ status }) => status === 'scheduled' || status === 'failed')
  if (found.length > 0) return found
  throw new Refusal('invalid', `Only a scheduled or failed post can be rescheduled. This one is ${post.status}.`, {
    code: 'invalid_post_status',
  })
}

const wantsOther = ({ content, metadata, mediaUrls }: Request) =>
  content !== undefined || metadata !== undefined || mediaUrls !== undefined

const rescheduleOnce = async (ctx: Context, workspace: Workspace, post: Post, request: Request): Promise<PostView> => {
  const posts = await movable(ctx, post)
  const now = ctx.clock.now()
  // A post that is being published is rejected first, whatever else is wrong with the request.
  for (const one of posts) assertNotInFlight(one, 'reschedule', now)
  const scheduledAt = futureMoment(request.scheduledAt, now)
  const [first = post] = posts
  if (first.id !== post.id && wantsOther(request)) {
    const text = 'The first tweet of the thread is live. Send only a new time; the rest is published unchanged.'
    throw new Refusal('invalid', text, { code: 'thread_partially_published', field: 'content' })
  }
  const textOf = await readTexts(ctx, posts)
  const planned = await replan(ctx, workspace, { post: first, text: textOf(first), request })
  const bodies = splitLongTexts(workspace.id, `${post.id}v${first.version + 1}`)
  const moved = posts.map((one) =>
    move(one, textOf(one), { scheduledAt, planned: one.id === first.id ? planned : undefined, store: bodies.store }),
  )
  const { taken, released } = capWrites(workspace, moved)
  const files = moved.flatMap(({ after }) => [...after.media, ...Object.values(after.assets ?? {})])
  const outboxId = ulid(now)
  const events = moved.map(({ after, content }, n) =>
    postEvent(eventIdAt(outboxId, n), 'post.rescheduled', workspace, after, content, now, {}),
  )
  const writes: Write[] = [
    ...taken,
    ...moved.map((one, n) => rowOf(one, now, eventIdAt(outboxId, n))),
    ...bodies.writes(),
    ...released,
    ...recordMediaUse(workspace.id, post.id, files, Date.parse(scheduledAt)),
    ...recordEvents(ctx, outboxId, workspace.id, events),
  ]
  assertFitsTransaction(writes)
  const moves = sumMoves(posts.map((one) => ({ post: one, from: one.status, to: 'scheduled' as const })))
  await currentOrThrow(
    transact(ctx, () => [...writes, ...countPosts(workspace.id, moves)]),
    capExceeded,
    capWrite,
  )
  const [woken] = moved
  if (woken) await Promise.all([schedulePost(ctx, woken.after), enqueueRelay(ctx, workspace.id, outboxId)])
  const head = moved.find(({ after }) => after.id === post.id)
  return head ? viewPost(head.after, head.content) : viewPost(post, (await readTexts(ctx, [post]))(post))
}

/**
 * Gives a scheduled or failed post a new time, and new content if the request has it; a thread continues at the first
 * tweet that is not live. An unreconciled attempt stays journaled: the publisher reconciles it before it sends again
 * (pipeline rule 3, shared/README.md). Concurrent calls take effect one after the other.
 */
export const reschedulePost = (ctx: Context, workspace: Workspace, post: Post, request: Request): Promise<PostView> =>
  retryOnConflict(ctx, post, async (now) => {
    if (now === undefined) throw postNotFound(post.id)
    return rescheduleOnce(ctx, workspace, now, request)
  })
