import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allOf, between, equal } from '../../db/expression.ts'
import { batchGet, type Item, query, queryAll } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { described } from '../../http/described.ts'
import { wholeNumber } from '../../http/page.ts'
import { pair } from '../../ids.ts'
import { addDays, isLocalDay, localDays, startOfDay } from '../../local-time.ts'
import { dayMs } from '../../time.ts'
import { TimeZone } from '../../workspaces/time-zone.ts'
import { posts, statusKeyOf } from '../lifecycle/row.ts'
import { readTexts } from '../texts.ts'
import { PostView, viewPost } from './view.ts'

/** A month with the days of its first and last week. */
const maxDays = 42
/** An entry of the index has about 150 bytes: twenty queries of 1 MB. */
const maxQueries = 20
/** The newest failed posts of a workspace; earlier ones are not marked as failed. */
const maxFailed = 5_000
/** How many posts of a group the response has: enough to show where it goes. */
const postsPerGroup = 3

const Day = z.iso
  .date({ error: 'must be a date, such as 2026-12-01' })
  .check(z.refine(isLocalDay, { error: `must be a day from ${localDays.first} to ${localDays.last}` }))

/** The query of the calendar. */
export const CalendarQuery = z.strictObject({
  from: described(Day, 'The first day, such as `2026-12-01`.'),
  to: described(Day, `The last day. A request takes at most ${maxDays} days.`),
  timezone: described(
    z.optional(TimeZone),
    'The time zone of the days, such as `Europe/Berlin`. By default that of the workspace.',
  ),
  postsPerDay: described(
    wholeNumber(0, 10, 3),
    'How many posts of each day the response has, the earliest first. 0 to 10.',
  ),
  groupsPerDay: described(
    wholeNumber(0, 10, 0),
    'How many groups of each day the response has: those with a failed post first, then the earliest. 0 to 10.',
  ),
})
type CalendarQuery = z.infer<typeof CalendarQuery>

const CalendarGroup = z
  .object({
    groupId: described(z.string(), 'The ID that all posts of one request share.'),
    count: described(z.int(), 'The number of its posts on this day, in any status.'),
    failed: described(z.int(), 'How many of them failed.'),
    posts: described(
      z.array(PostView),
      `At most ${postsPerGroup} of them: failed posts first, then in the order of the request.`,
    ),
  })
  .register(z.globalRegistry, {
    id: 'CalendarGroup',
    description: 'The posts of one request on a day: one text for several accounts, or a thread.',
  })

const CalendarDay = z
  .object({
    date: described(z.string(), 'The day, such as `2026-12-01`.'),
    count: described(z.int(), 'The number of posts whose `scheduledAt` is on this day, in any status.'),
    failed: described(z.int(), 'How many of them failed.'),
    posts: described(z.array(PostView), 'The first of them, in the order of `scheduledAt`.'),
    groups: described(
      z.array(CalendarGroup),
      'The first groups of posts: those with a failed post, then in the order of `scheduledAt`. Empty without `groupsPerDay`.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'CalendarDay',
    description: 'A day with its number of posts and the first of them.',
  })

/** The days of a range, each with its posts. */
export const Calendar = z
  .object({
    timezone: described(z.string(), 'The time zone of the days, an IANA name.'),
    days: described(z.array(CalendarDay), 'Every day of the range, the first one first; also those without a post.'),
  })
  .register(z.globalRegistry, { id: 'PostCalendar', description: 'The posts of a range of days.' })

const reject = (text: string): never => {
  throw new Refusal('invalid', text, { code: 'invalid_input', field: 'to' })
}

const daysOf = ({ from, to }: CalendarQuery): string[] => {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) reject('"to" must not be before "from".')
  if (days > maxDays) reject(`"from" and "to" span ${days} days. A request takes at most ${maxDays}.`)
  return Array.from({ length: days }, (_, n) => addDays(from, n))
}

/** The keys of all posts of a range, in the order of their times. */
const keysIn = async (ctx: Context, PK: string, fromMs: number, endMs: number): Promise<Item[]> => {
  const range = between('scheduledAt', new Date(fromMs).toISOString(), new Date(endMs - 1).toISOString())
  const source = { index: 'time', key: allOf(equal('PK', PK), range), only: 'SK, scheduledAt' } as const
  const keys: Item[] = []
  let after: Item | undefined
  for (let queries = 0; queries < maxQueries; queries += 1) {
    const page = await query(ctx, { ...source, ...(after ? { after } : {}) })
    keys.push(...page.items)
    after = page.next
    if (after === undefined) return keys
  }
  return reject(`The range has more than ${keys.length} posts, too many for one request. Ask for fewer days.`)
}

/** The IDs of the posts that failed, in any range. */
const failedIn = async (ctx: Context, workspaceId: string): Promise<ReadonlySet<string>> => {
  const key = equal('statusKey', statusKeyOf(workspaceId, 'failed'))
  const items = await queryAll(ctx, { index: 'status', key, only: 'SK', newestFirst: true }, maxFailed)
  return new Set(items.map(({ SK }) => String(SK)))
}

/** The group that the ID of a post names: that of its request, followed by its position there. */
const groupOf = (id: string): string => id.slice(0, -pair(0).length)

interface Group {
  groupId: string
  /** The IDs of its posts, failed ones first. */
  ids: readonly string[]
  failed: number
}

/** The first groups of posts in the order of their times: those with a failed post before the others. */
const firstGroups = (ids: readonly string[], failed: ReadonlySet<string>, max: number): Group[] => {
  const groups = [...Map.groupBy(ids, groupOf)].map(([groupId, own]) => {
    const bad = own.filter((id) => failed.has(id)).sort()
    return { groupId, failed: bad.length, ids: [...bad, ...own.filter((id) => !failed.has(id)).sort()] }
  })
  return [...groups.filter((group) => group.failed > 0), ...groups.filter((group) => group.failed === 0)].slice(0, max)
}

/** The posts of each day of a range; eventually consistent, as every list by time. */
export const readCalendar = async (
  ctx: Context,
  { id: workspaceId, timezone: own }: { id: string; timezone: string },
  filter: CalendarQuery,
): Promise<z.infer<typeof Calendar>> => {
  const { timezone = own, postsPerDay, groupsPerDay } = filter
  const dates = daysOf(filter)
  const starts = [...dates, addDays(filter.to, 1)].map((date) => startOfDay(date, timezone))
  const { PK } = posts.key({ workspaceId, id: '' })
  const [keys, failed] = await Promise.all([
    keysIn(ctx, PK, starts[0] ?? 0, starts.at(-1) ?? 0),
    failedIn(ctx, workspaceId),
  ])
  let next = 0
  const byDay = dates.map((date, n) => {
    const [begin, end] = [next, new Date(starts[n + 1] ?? 0).toISOString()]
    // Times in UTC sort as text.
    while (next < keys.length && String(keys[next]?.['scheduledAt']) < end) next += 1
    const ids = keys.slice(begin, next).map(({ SK }) => String(SK))
    return { date, ids, first: ids.slice(0, postsPerDay), groups: firstGroups(ids, failed, groupsPerDay) }
  })
  const shown = new Set(
    byDay.flatMap(({ first, groups }) => [...first, ...groups.flatMap(({ ids }) => ids.slice(0, postsPerGroup))]),
  )
  const rows = await batchGet(
    ctx,
    [...shown].map((SK) => ({ PK, SK })),
  )
  const items = [...shown].map((SK) => rows.item({ PK, SK })).filter((item) => item !== undefined)
  const readable = posts.readable(ctx, items)
  const textOf = await readTexts(ctx, readable)
  const byId = new Map(readable.map((post) => [post.id, post]))
  const view = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const post = byId.get(id)
      return post === undefined ? [] : [viewPost(post, textOf(post))]
    })
  const days = byDay.map(({ date, ids, first, groups }) => ({
    date,
    count: ids.length,
    failed: ids.filter((id) => failed.has(id)).length,
    posts: view(first),
    groups: groups.map((group) => ({
      groupId: group.groupId,
      count: group.ids.length,
      failed: group.failed,
      posts: view(group.ids.slice(0, postsPerGroup)),
    })),
  }))
  return { timezone, days }
}
