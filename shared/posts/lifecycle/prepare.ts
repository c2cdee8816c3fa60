import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import type { Change, Condition } from '../../db/expression.ts'
import { leaseMsOf } from '../../db/lease.ts'
import { update } from '../../db/table.ts'
import type { Prepared } from '../../platforms/adapter.ts'
import { timeoutSecondsOf } from '../../resources.ts'
import { claimable, preparable, preparableAlone } from './condition.ts'
import { type Post, posts } from './row.ts'
import { postLifecycle, type TransitionName } from './transitions.ts'

const leaseMs = leaseMsOf(timeoutSecondsOf.prepare)

/** How long the message of a due post has to arrive before the sweeper sends it again. */
export const publishGraceMs = 30_000

const write = (
  ctx: Context,
  name: TransitionName,
  { post, change, when }: { post: Post; change: Change; when: Condition },
): Promise<boolean> => wasCurrent(update(ctx, posts.key(post), postLifecycle.change(name, change), when))

const queued = (post: Post, now: number) => ({
  publishQueued: true,
  sweepAtMs: Math.max(post.scheduledAtMs, now) + publishGraceMs,
  sweepCount: 0,
})

/** Stores that the publisher's message is in its queue. */
export const noteQueued = (ctx: Context, post: Post): Promise<boolean> => {
  const now = ctx.clock.now()
  return write(ctx, 'enqueue', { post, change: { set: queued(post, now) }, when: preparable(post, now) })
}

/** Begins to prepare a post, unless another worker does. `isQueued`: the publisher's message is in its queue. */
export const beginPreparing = (ctx: Context, post: Post, isQueued: boolean): Promise<boolean> => {
  const now = ctx.clock.now()
  const set = { preparingUntilMs: now + leaseMs, ...(isQueued ? queued(post, now) : {}) }
  return write(ctx, 'beginPreparing', { post, change: { set }, when: preparableAlone(post, now) })
}

/** Stores what was prepared. */
export const keepPrepared = (ctx: Context, post: Post, done: Prepared): Promise<boolean> => {
  const preparation = 'ready' in done ? { ready: done.ready, expiresAtMs: done.expiresAtMs } : { resume: done.resume }
  const when = preparable(post, ctx.clock.now())
  return write(ctx, 'prepare', { post, change: { set: { preparation } }, when })
}

/** Stores how to resume a post whose media the platform still processes at the post's time. */
export const waitForMedia = (ctx: Context, post: Post, wait: Extract<Prepared, { waitSeconds: number }>) => {
  const now = ctx.clock.now()
  const notBeforeMs = now + wait.waitSeconds * 1000
  const set = {
    preparation: { resume: wait.resume },
    notBeforeMs,
    sweepAtMs: notBeforeMs + publishGraceMs,
    sweepCount: 0,
  }
  const change = { set, setOnce: { mediaPendingSinceMs: now } }
  return write(ctx, 'waitForMedia', { post, change, when: claimable(post, now) })
}
