import type { Context } from '../context.ts'
import type { Entity } from '../db/entity.ts'
import { equal } from '../db/expression.ts'
import { batchGet, type Item, keyOf, query } from '../db/table.ts'
import { acceptRestored, readPauses } from '../pauses/pauses.ts'
import { adapterOf, clientKeyOf } from '../platforms/adapters.ts'
import { type PlatformId, sweepShards } from '../resources.ts'
import { type Post, posts } from './lifecycle/row.ts'
import { presumeSent } from './lifecycle/writes.ts'
import { presumeCommentSent } from './live/begin-comment.ts'
import { firstComments } from './live/work.ts'
import { threadOf } from './thread.ts'

/** How many posts of each platform may have been published since the time that the table was restored to. */
export type PresumedSent = ReadonlyMap<PlatformId, number>

/** The rows of a type that wait in the sweep index. */
async function* swept<Row>(
  ctx: Context,
  { type, readable }: Pick<Entity<Row, never>, 'type' | 'readable'>,
): AsyncGenerator<Row> {
  for (let shard = 0; shard < sweepShards; shard += 1) {
    let after: Item | undefined
    do {
      const key = equal('sweepShard', `SWEEP#${shard}`)
      const page = await query(ctx, { index: 'sweep', key, limit: 100, ...(after ? { after } : {}) })
      const keys = page.items.filter((item) => item['type'] === type).map(keyOf)
      const rows = await batchGet(ctx, keys)
      const items = keys.map((of) => rows.item(of)).filter((item) => item !== undefined)
      yield* readable(ctx, items)
      after = page.next
    } while (after !== undefined)
  }
}

/** The posts that wait; the tweets that follow one of them wait for their turn and are not in the sweep index. */
async function* waitingPosts(ctx: Context): AsyncGenerator<Post> {
  for await (const post of swept(ctx, posts)) yield* post.thread === undefined ? [post] : await threadOf(ctx, post)
}

/**
 * After a restore of the table to a time: every post and first comment that was due since then, or waited for another attempt,
 * may be live. From now on each is looked up at its platform before it is sent; where the platform cannot tell, a post ends
 * as `outcome_unknown`, and a comment as failed that may be live. Can be repeated, and continued after a crash. Throws a TypeError if the deployment is not paused.
 */
export const presumeDueSent = async (ctx: Context, restoredToMs: number): Promise<PresumedSent> => {
  const { isPaused } = await readPauses(ctx)
  if (!isPaused({})) throw new TypeError('The deployment is not paused. Pause it first.')
  const counts = new Map<PlatformId, number>()
  const count = (platform: PlatformId) => counts.set(platform, (counts.get(platform) ?? 0) + 1)
  const seen = new Set<string>()
  for await (const post of waitingPosts(ctx)) {
    const isDue = post.status === 'scheduled' && post.scheduledAtMs <= ctx.clock.now()
    if (!isDue || seen.has(post.id) || post.attempt?.restoredAtMs !== undefined) continue
    seen.add(post.id)
    const makeKey = clientKeyOf(adapterOf(post.platform), post)
    if (await presumeSent(ctx, post, { makeKey, restoredToMs })) count(post.platform)
  }
  for await (const comment of swept(ctx, firstComments)) {
    if (comment.requestedAtMs > ctx.clock.now() || comment.attempt?.restoredAtMs !== undefined) continue
    if (await presumeCommentSent(ctx, comment, restoredToMs)) count(comment.platform)
  }
  await acceptRestored(ctx)
  return counts
}
