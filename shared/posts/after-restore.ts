import type { Context } from '../context.ts'
import type { Entity } from '../db/entity.ts'
import { equal } from '../db/expression.ts'
import { batchGet, type Item, keyOf, query } from '../db/table.ts'
import { digest } from '../ids.ts'
import { acceptRestored, readPauses } from '../pauses/pauses.ts'
import { adapterOf, clientKeyOf } from '../platforms/adapters.ts'
import { type PlatformId, sweepShards } from '../resources.ts'
import { minuteMs } from '../time.ts'
import { type Attempt, type Post, posts } from './lifecycle/row.ts'
import { presumeSent } from './lifecycle/writes.ts'
import { presumeCommentSent } from './live-work/begin-comment.ts'
import { firstComments } from './live-work/work.ts'
import { threadOf } from './thread.ts'

/** How many posts of each platform may have been published since the time that the table was restored to. */
export type PresumedSent = ReadonlyMap<PlatformId, number>

/** The IDs of posts that were published, from log lines that are newer than the restored rows. */
export type Witnesses = ReadonlyMap<string, NonNullable<Attempt['witness']>>

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

/** The waiting posts; tweets that follow one of them wait for their turn and are not in the sweep index. */
async function* waitingPosts(ctx: Context): AsyncGenerator<Post> {
  for await (const post of swept(ctx, posts)) yield* post.thread === undefined ? [post] : await threadOf(ctx, post)
}

/** The same for posts of one account with the same text and metadata, such as a title. */
const textKeyOf = ({ socialAccountId, content, bodyId, metadata }: Post) =>
  digest(JSON.stringify([socialAccountId, content, bodyId, metadata]))

/** Posts that were accepted later are not of the restored rows. Clocks differ by less. */
const acceptedMs = minuteMs

/**
 * After a restore of the table to a time: every scheduled post of the restored rows may be live, because its author may have
 * moved it to an earlier time, and every first comment that was due by now. From now on each is looked up at its platform
 * before it is sent, unless a log line shows that it is live; if the platform cannot tell, a post ends as `outcome_unknown`,
 * and a comment as failed that may be live. Decided: so does a post that is due later and whose text others of its account
 * have, because one of them would be found instead of it. Can be repeated, and continued after a crash. Throws a TypeError
 * if the deployment is not paused.
 */
export const presumeSentSince = async (
  ctx: Context,
  restoredToMs: number,
  witnesses: Witnesses,
): Promise<PresumedSent> => {
  const { isPaused } = await readPauses(ctx)
  if (!isPaused({})) throw new TypeError('The deployment is not paused. Pause it first.')
  const counts = new Map<PlatformId, number>()
  const count = (platform: PlatformId) => counts.set(platform, (counts.get(platform) ?? 0) + 1)
  const idsOf = new Map<string, Set<string>>()
  for await (const post of waitingPosts(ctx)) {
    const key = textKeyOf(post)
    idsOf.set(key, (idsOf.get(key) ?? new Set()).add(post.id))
  }
  const seen = new Set<string>()
  for await (const post of waitingPosts(ctx)) {
    const isRestored = post.status === 'scheduled' && Date.parse(post.createdAt) <= restoredToMs + acceptedMs
    if (!isRestored || seen.has(post.id) || post.attempt?.restoredAtMs !== undefined) continue
    seen.add(post.id)
    const makeKey = clientKeyOf(adapterOf(post.platform), post)
    const isRepeated = post.scheduledAtMs > ctx.clock.now() && (idsOf.get(textKeyOf(post))?.size ?? 0) > 1
    const presumed = { makeKey, restoredToMs, isRepeated, witness: witnesses.get(post.id) }
    if (await presumeSent(ctx, post, presumed)) count(post.platform)
  }
  for await (const comment of swept(ctx, firstComments)) {
    if (comment.requestedAtMs > ctx.clock.now() || comment.attempt?.restoredAtMs !== undefined) continue
    if (await presumeCommentSent(ctx, comment, restoredToMs)) count(comment.platform)
  }
  await acceptRestored(ctx)
  return counts
}
