import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { cachedResponse } from '../../db/cached-response.ts'
import { allOf, below, equal } from '../../db/expression.ts'
import { batchGet, query } from '../../db/table.ts'
import { failureReasons } from '../../events/failure-reasons.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { measured, rateOf, Spread, spreadOf } from '../../http/statistics.ts'
import { localTime } from '../../local-time.ts'
import { platformIds } from '../../resources.ts'
import { minuteMs } from '../../time.ts'
import { type Post, type PostStatus, posts } from '../lifecycle/row.ts'

/** How many posts the statistics are about: ten reads of a hundred rows. */
const maxPosts = 1_000

const lateness =
  'How late published posts were: from the planned time of a post until the call to the platform began that published it, including earlier attempts. Only the first tweet of a thread is measured: the others have no planned time.'

const Outcomes = {
  published: described(z.int(), 'The number of published posts.'),
  failed: described(z.int(), 'The number of failed posts.'),
  successRate: measured(
    'Published posts divided by published and failed posts, from 0 to 1. Null if no post was published or failed.',
  ),
  lateness: described(Spread, lateness),
}

/** The statistics of posts. */
export const PostStatistics = z
  .object({
    measuredAt: timestamp('When the numbers were calculated, in UTC. They are calculated at most once a minute.'),
    from: described(z.nullable(timestamp()), 'The earliest `scheduledAt` of the posts; null if there are none.'),
    to: described(z.nullable(timestamp()), 'The latest `scheduledAt` of the posts; null if there are none.'),
    count: described(z.int(), `The number of posts: the last ${maxPosts} whose \`scheduledAt\` has passed, or all.`),
    ...Outcomes,
    cancelled: described(z.int(), 'The number of canceled posts.'),
    inProgress: described(z.int(), 'The number of posts whose outcome is not known yet.'),
    timezone: described(z.string(), 'The time zone of the days: that of the workspace, such as `Europe/Berlin`.'),
    days: described(
      z.array(
        z
          .object({ date: described(z.string(), 'The day of `scheduledAt`, such as `2026-12-01`.'), ...Outcomes })
          .register(z.globalRegistry, {
            id: 'PostStatisticsOfDay',
            description: 'The outcomes of the posts of a day.',
          }),
      ),
      'The same for each day that has posts, the first day first.',
    ),
    platforms: described(
      z.array(
        z
          .object({ platform: described(z.enum(platformIds), 'The platform.'), ...Outcomes })
          .register(z.globalRegistry, {
            id: 'PostStatisticsOfPlatform',
            description: 'The outcomes of the posts of a platform.',
          }),
      ),
      'The same for each platform that has posts, by name.',
    ),
    failures: described(
      z.array(
        z
          .object({
            platform: described(z.enum(platformIds), 'The platform.'),
            reason: described(
              z.nullable(z.enum(failureReasons)),
              'Why the posts failed, as a code; null where none is known.',
            ),
            count: described(z.int(), 'The number of posts.'),
          })
          .register(z.globalRegistry, {
            id: 'PostStatisticsOfReason',
            description: 'How many posts of a platform failed for a reason.',
            examples: [{ platform: 'bluesky', reason: 'rejected', count: 3 }],
          }),
      ),
      'The failed posts by platform and reason, the most frequent first.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'PostStatistics',
    description: 'How the last posts ended, and how late they were.',
  })
type PostStatistics = z.infer<typeof PostStatistics>

/** How late the attempt began that published the post; undefined for a post without a planned time. */
const latenessOf = ({ status, thread, attempts = [] }: Post): number | undefined =>
  status === 'published' && (thread === undefined || thread.index === 0)
    ? attempts.findLast(({ outcome }) => outcome === 'published')?.lateMs
    : undefined

const count = (rows: readonly Post[], status: PostStatus) => rows.filter((post) => post.status === status).length

const outcomesOf = (rows: readonly Post[]) => {
  const [published, failed] = [count(rows, 'published'), count(rows, 'failed')]
  const late = rows.map(latenessOf).filter((ms) => ms !== undefined)
  return { published, failed, successRate: rateOf(published, failed), lateness: spreadOf(late) }
}

const measure = async (ctx: Context, workspaceId: string, timezone: string): Promise<PostStatistics> => {
  const nowMs = ctx.clock.now()
  const { PK } = posts.key({ workspaceId, id: '' })
  const passed = allOf(equal('PK', PK), below('scheduledAt', new Date(nowMs + 1).toISOString()))
  const { items } = await query(ctx, { index: 'time', key: passed, newestFirst: true, limit: maxPosts })
  const keys = items.map(({ SK }) => ({ PK, SK: String(SK) }))
  const read = await batchGet(ctx, keys)
  const rows = posts
    .readable(
      ctx,
      keys.map((key) => read.item(key)).filter((item) => item !== undefined),
    )
    .toSorted((a, b) => (a.scheduledAt < b.scheduledAt ? -1 : 1))
  const byPlatform = [...Map.groupBy(rows, ({ platform }) => platform)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const byReason = (own: readonly Post[]) =>
    Map.groupBy(
      own.filter(({ status }) => status === 'failed'),
      ({ reason = null }) => reason,
    )
  return {
    measuredAt: new Date(nowMs).toISOString(),
    from: rows.at(0)?.scheduledAt ?? null,
    to: rows.at(-1)?.scheduledAt ?? null,
    count: rows.length,
    ...outcomesOf(rows),
    timezone,
    cancelled: count(rows, 'cancelled'),
    inProgress: count(rows, 'scheduled'),
    days: [...Map.groupBy(rows, ({ scheduledAt }) => localTime(Date.parse(scheduledAt), timezone).day)].map(
      ([date, own]) => ({ date, ...outcomesOf(own) }),
    ),
    platforms: byPlatform.map(([platform, own]) => ({ platform, ...outcomesOf(own) })),
    failures: byPlatform
      .flatMap(([platform, own]) =>
        [...byReason(own)].map(([reason, { length }]) => ({ platform, reason, count: length })),
      )
      .toSorted((a, b) => b.count - a.count),
  }
}

/** The statistics of the last posts of a workspace, at most a minute old. */
export const readStatistics = async (
  ctx: Context,
  { id: workspaceId, timezone }: { id: string; timezone: string },
): Promise<PostStatistics> => {
  const ask = () => measure(ctx, workspaceId, timezone)
  const subject = { workspaceId, id: 'posts' }
  return (await cachedResponse(ctx, subject, { name: 'statistics', shape: PostStatistics, freshMs: minuteMs, ask }))
    .value
}
