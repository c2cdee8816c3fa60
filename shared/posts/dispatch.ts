import { send } from '../aws/queue.ts'
import { createSchedule } from '../aws/schedule.ts'
import type { Context } from '../context.ts'
import { holdMessage, publishQueue } from './hold.ts'
import type { PrepareMessage } from './messages.ts'
import type { Post } from './post.ts'

/** How early the Scheduler is fired, because its precision is a minute. */
const leadMs = 150_000
/** Due sooner than this, a post needs no Scheduler. */
const soonMs = 14 * 60_000
/** Due sooner than this, a post goes straight to its publisher, who prepares it in line. */
const immediateMs = 5_000

/** When the sweeper first looks after an accepted post: before its time, so that a lost schedule costs no lateness. */
export const firstWakeMs = (post: Post, now: number): number =>
  post.scheduledAtMs - now < immediateMs
    ? post.scheduledAtMs + 30_000
    : Math.max(now + 30_000, post.scheduledAtMs - 90_000)

const start = async (ctx: Context, accepted: readonly Post[], name: string, body: PrepareMessage) => {
  const now = ctx.clock.now()
  const group = body.workspaceId
  const first = Math.min(...accepted.map((post) => post.scheduledAtMs))
  if (first - now < immediateMs) {
    await Promise.all(accepted.map((post) => send(ctx, publishQueue(post), holdMessage(post, now))))
  } else if (first - now < soonMs) {
    await send(ctx, 'prepare', { body, group, delaySeconds: (first - now - leadMs) / 1000 })
  } else {
    await createSchedule(ctx, { name, atMs: first - leadMs, body, group })
  }
}

/** Gets accepted posts moving. Messages only make it fast: what fails here is left to the sweeper. */
const startOrLeave = async (ctx: Context, accepted: readonly Post[], name: string, body: PrepareMessage) => {
  try {
    await start(ctx, accepted, name, body)
  } catch (error) {
    ctx.log.warn('left to the sweeper', { name, reason: String(error) })
  }
}

/** One schedule for a whole group. */
export const startGroup = (ctx: Context, workspaceId: string, groupId: string, accepted: readonly Post[]) =>
  startOrLeave(ctx, accepted, `g-${groupId}`, { workspaceId, groupId })

/** A schedule of its own for a post that has moved; the old one meets another version and is refused. */
export const startPost = (ctx: Context, post: Post) =>
  startOrLeave(ctx, [post], `p-${post.id}-v${post.version}`, {
    workspaceId: post.workspaceId,
    postId: post.id,
    version: post.version,
  })
