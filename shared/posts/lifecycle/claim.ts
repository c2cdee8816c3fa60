import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import type { Change, Condition } from '../../db/expression.ts'
import { leaseMsOf } from '../../db/lease.ts'
import { leaseGraceMs, sweepBy } from '../../db/sweep-at.ts'
import { update } from '../../db/table.ts'
import type { PreparedRef } from '../../platforms/adapter.ts'
import { timeoutSecondsOf } from '../../resources.ts'
import { claimable, reconcilable } from './condition.ts'
import { type Attempt, type Post, posts, reconciliationPath } from './row.ts'
import { postLifecycle, type TransitionName } from './transitions.ts'

/**
 * When it ends, its holder is dead (pipeline rule 2, shared/README.md). It is longer than that needs: what a platform has
 * taken is seen in its lists by then, and Discord no longer recognizes a nonce, so that only its channel is asked.
 */
const leaseMs = leaseMsOf(timeoutSecondsOf.publish) + 45_000

/** Takes the lease. If an earlier lease has ended, its holder crashed. Undefined if another worker was first. */
const claim = async (
  ctx: Context,
  name: TransitionName,
  { post, when, change }: { post: Post; when: Condition; change: Change },
): Promise<Post | undefined> => {
  const leaseUntilMs = ctx.clock.now() + leaseMs
  const crashed = post.leaseUntilMs === undefined ? {} : { crashedAttempts: 1 }
  const leased = postLifecycle.change(name, {
    ...change,
    set: { ...change.set, leaseUntilMs, ...sweepBy(post, leaseUntilMs + leaseGraceMs) },
    add: { leaseToken: 1, ...crashed },
  })
  const row = await ifCurrent(update(ctx, posts.key(post), leased, when))
  return row && posts.parse(row)
}

/**
 * Claims a post and journals the attempt in one conditional write: from here on, the attempt may be live. Also stores
 * the media that were prepared just now, for the next attempt; without media, there is nothing worth its write units.
 */
export const claimToPublish = (
  ctx: Context,
  post: Post,
  { makeKey, ref, expiresAtMs }: { makeKey: string; ref: PreparedRef; expiresAtMs: number },
): Promise<Post | undefined> => {
  const startedAtMs = ctx.clock.now()
  const clientKey = post.clientKey ?? makeKey
  const attempt: Attempt = { version: post.version, clientKey, startedAtMs, ref }
  const hasMedia = post.media.length > 0 || post.assets !== undefined
  const set = { attempt, clientKey, ...(hasMedia ? { preparation: { ready: ref, expiresAtMs } } : {}) }
  return claim(ctx, 'claim', { post, when: claimable(post, startedAtMs), change: { set } })
}

/** Claims a post that could not be made ready, to report it; no attempt is made, so none is journaled. */
export const claimToFail = (ctx: Context, post: Post): Promise<Post | undefined> =>
  claim(ctx, 'claim', { post, when: claimable(post, ctx.clock.now()), change: {} })

/** Claims a post whose attempt is unconfirmed, to reconcile it. */
export const claimToReconcile = (ctx: Context, post: Post): Promise<Post | undefined> => {
  const sinceMs = ctx.clock.now()
  const change = { setOnce: { [reconciliationPath]: { sinceMs, negativeProbes: 0 } } }
  return claim(ctx, 'claimToReconcile', { post, when: reconcilable(post, sinceMs), change })
}
