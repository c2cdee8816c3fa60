import type { Context } from '../../context.ts'
import { absent, allOf, anyOf, atMost, type Condition, equal } from '../../db/expression.ts'
import { ConditionFailed, type Item, update } from '../../db/table.ts'
import type { PreparedRef } from '../../platforms/adapter.ts'
import { type Post, posts } from './row.ts'

/** How long a claim holds; longer than the function may run, so that its holder is dead when it ends (pipeline rule 2). */
export const leaseSeconds = 120
/** The sweeper looks again this long after a lease has ended. */
const graceMs = 15_000

const free = (post: Post, now: number): Condition =>
  allOf(
    equal('status', 'scheduled'),
    equal('version', post.version),
    anyOf(absent('leaseUntilMs'), atMost('leaseUntilMs', now)),
  )

/** A row nobody has claimed and no attempt of which may be live. */
export const untouched = (post: Post, now: number): Condition => allOf(free(post, now), absent('maybeLanded'))

const lease = (now: number) => ({
  leaseUntilMs: now + leaseSeconds * 1000,
  sweepAtMs: now + leaseSeconds * 1000 + graceMs,
})

/** The claim that is taken over here ended without a word. */
const died = (post: Post) => (post.leaseUntilMs === undefined ? {} : { deadClaims: 1 })

const won = async (claim: Promise<Item>): Promise<Post | undefined> => {
  try {
    return posts.parse(await claim)
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

/**
 * Claims a post and journals the attempt in one conditional write: from here on it may have landed.
 * Undefined where somebody else was faster or the post has moved on.
 */
export const claimAttempt = (
  ctx: Context,
  post: Post,
  attempt: { clientKey: string; ref: PreparedRef; expiresAtMs: number },
): Promise<Post | undefined> => {
  const now = ctx.clock.now()
  const { ref, expiresAtMs } = attempt
  const journal = { maybeLanded: true, armedAtMs: now, armedRef: ref, armedVersion: post.version }
  // Kept for the next try as well, where it was prepared only now.
  const prepared = { version: post.version, ref, expiresAtMs }
  return won(
    update(
      ctx,
      posts.key(post),
      {
        set: { ...lease(now), ...journal, prepared },
        setOnce: { clientKey: attempt.clientKey },
        add: { leaseToken: 1, ...died(post) },
        remove: ['resume', 'waitsFromMs'],
      },
      untouched(post, now),
    ),
  )
}

/** Claims a post whose preparation failed, to say so; no attempt is made, so none is journaled. */
export const claimWithoutAttempt = (ctx: Context, post: Post): Promise<Post | undefined> => {
  const now = ctx.clock.now()
  const change = { set: lease(now), add: { leaseToken: 1, ...died(post) } }
  return won(update(ctx, posts.key(post), change, untouched(post, now)))
}

/** Claims a post whose last attempt is unsettled, to settle it under its old key. */
export const claimUnsettled = (ctx: Context, post: Post): Promise<Post | undefined> => {
  const now = ctx.clock.now()
  return won(
    update(
      ctx,
      posts.key(post),
      { set: lease(now), setOnce: { settleFromMs: now }, add: { leaseToken: 1, ...died(post) } },
      allOf(free(post, now), equal('maybeLanded', true)),
    ),
  )
}

/** The claim is still ours: nobody took the lease after us, and the author has not moved the post on. */
export const mine = (claimed: Post): Condition =>
  allOf(equal('status', 'scheduled'), equal('version', claimed.version), equal('leaseToken', claimed.leaseToken))

/**
 * Attributes of a claim that end with it; those of an unsettled attempt stay until it is settled. Its key outlives it,
 * for the next try of the same version: a call that arrives late then makes no second post.
 */
export const claimFields = ['leaseUntilMs'] as const
export const attemptFields = [
  'maybeLanded',
  'armedAtMs',
  'armedRef',
  'armedVersion',
  'settleFromMs',
  'negativeProbes',
] as const
