import { orLeaveToSweeper, send } from '../../aws/queue.ts'
import { createSchedule } from '../../aws/schedule.ts'
import type { Context } from '../../context.ts'
import { isPending } from '../../media/media-file.ts'
import { kindOf } from '../../media/types.ts'
import { minuteMs } from '../../time.ts'
import { needsConversion } from '../files.ts'
import type { Post } from '../lifecycle/row.ts'
import { awaitsTurn } from '../lifecycle/state.ts'
import { type PrepareMessage, prepareMessage } from '../lifecycle/work.ts'
import { enqueuePublish } from './enqueue.ts'

/** How early the schedule fires, because the Scheduler has a precision of one minute. */
const leadMs = 150_000
/** The same for posts with videos or documents: platforms take minutes to process them. */
const videoLeadMs = 600_000
/** When the sweeper looks, counted from when the schedule should have fired. */
const schedulerSlackMs = 60_000
/** A post that is due sooner needs no schedule. */
const soonMs = 14 * minuteMs
/** A post that is due sooner is sent directly to the publisher, which prepares it itself, except for its conversions. */
const immediateMs = 5_000

const leadOf = ({ media }: Pick<Post, 'media'>) =>
  media.some((file) => isPending(file) || kindOf(file.mimeType) !== 'image') ? videoLeadMs : leadMs

/** Whether work is needed before the post's time: files to convert and upload, or an attempt to look up. */
const hasEarlyWork = ({ media, assets, attempt }: Post) =>
  media.length > 0 || assets !== undefined || attempt !== undefined

/**
 * When the sweeper first looks at an accepted post. With work before its time, in time for that. Plain text: after its
 * time, so that an ordinary post keeps this entry until it is published; a lost schedule makes it up to two minutes late.
 */
export const firstSweepMs = (post: Post, now: number): number =>
  hasEarlyWork(post) && post.scheduledAtMs - now >= immediateMs
    ? Math.max(now + 30_000, post.scheduledAtMs - leadOf(post) + schedulerSlackMs)
    : post.scheduledAtMs + 30_000

/** Publishes a post that is due. A post with an image that must be converted goes through its preparation first. */
const sendNow = (ctx: Context, post: Post): Promise<void> =>
  post.mediaError === undefined && needsConversion(post)
    ? send(ctx, 'prepare', { body: prepareMessage(post), group: post.workspaceId })
    : enqueuePublish(ctx, post)

const start = async (ctx: Context, accepted: readonly Post[], name: string, body: PrepareMessage) => {
  const now = ctx.clock.now()
  const group = body.workspaceId
  const first = Math.min(...accepted.map((post) => post.scheduledAtMs))
  const lead = Math.max(...accepted.map(leadOf))
  if (first - now < immediateMs) {
    // Others follow when their files are fetched.
    const complete = accepted.filter(({ pendingImports }) => pendingImports === undefined)
    await Promise.all(complete.map((post) => sendNow(ctx, post)))
  } else if (first - now < soonMs) {
    await send(ctx, 'prepare', { body, group, delaySeconds: (first - now - lead) / 1000 })
  } else {
    await createSchedule(ctx, { name, atMs: first - lead, body, group })
  }
}

/** Starts accepted posts with messages and schedules; if they are lost, the sweeper starts the posts. */
const startOrLeave = (ctx: Context, accepted: readonly Post[], name: string, body: PrepareMessage) =>
  orLeaveToSweeper(ctx, { name }, () => start(ctx, accepted, name, body))

/** Creates one schedule for a whole group. */
export const scheduleGroup = (ctx: Context, workspaceId: string, groupId: string, accepted: readonly Post[]) =>
  startOrLeave(
    ctx,
    accepted.filter((post) => !awaitsTurn(post)),
    `g-${groupId}`,
    { workspaceId, groupId },
  )

/** Creates a schedule for a moved post; the old one finds that the post is not due, or prepares it a little early. */
export const schedulePost = (ctx: Context, post: Post) =>
  startOrLeave(ctx, [post], `p-${post.id}-v${post.version}`, prepareMessage(post))

/**
 * Restarts a post whose content has changed, but not its time. Its schedule prepares the new version, unless it may have
 * fired or fires too late for new files: the messages that it sent name the earlier version.
 */
export const restartPost = async (ctx: Context, before: Post, after: Post): Promise<void> => {
  const isScheduled = after.scheduledAtMs - ctx.clock.now() >= soonMs && leadOf(after) <= leadOf(before)
  if (!isScheduled && !awaitsTurn(after)) await schedulePost(ctx, after)
}

/** Starts a post whose files were fetched, unless its schedule has not fired yet. */
export const startImported = async (ctx: Context, post: Post): Promise<void> => {
  const isSoon = post.scheduledAtMs - ctx.clock.now() < soonMs
  if (isSoon && !awaitsTurn(post)) await startOrLeave(ctx, [post], `p-${post.id}`, prepareMessage(post))
}
