import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allOf, between, equal } from '../../db/expression.ts'
import { batchGet, type Item, query } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { described } from '../../http/described.ts'
import { wholeNumber } from '../../http/page.ts'
import { addDays, isLocalDay, localDays, startOfDay } from '../../local-time.ts'
import { dayMs } from '../../time.ts'
import { TimeZone } from '../../workspaces/time-zone.ts'
import { posts } from '../lifecycle/row.ts'
import { readTexts } from '../texts.ts'
import { PostView, viewPost } from './view.ts'

/** A month with the days of its first and last week. */
const maxDays = 42
/** An entry of the index has about 150 bytes: twenty queries of 1 MB. */
const maxQueries = 20

const Day = z.iso
  .date({ error: 'must be a date, such as 2026-12-01' })
  .check(z.refine(isLocalDay, { error: `must be a day from ${localDays.first} to ${localDays.last}` }))

/** The query of the calendar. */
export const CalendarQuery = z.strictObject({
  from: described(Day, 'The first day, such as `2026-12-01`.'),
  to: described(Day, `The last day. A request takes at most ${maxDays} days.`),
  timezone: described(
    z.optional(TimeZone),
    'The time zone of the days: an IANA name. Without it, that of the workspace.',
  ),
  postsPerDay: described(
    wholeNumber(0, 10, 3),
    'How many posts of each day the response has, the earliest first. 0 to 10.',
  ),
})
type CalendarQuery = z.infer<typeof CalendarQuery>

const CalendarDay = z
  .object({
    date: described(z.string(), 'The day, such as `2026-12-01`.'),
    count: described(z.int(), 'The number of posts whose `scheduledAt` is on this day, in any status.'),
    posts: described(z.array(PostView), 'The first of them, in the order of `scheduledAt`.'),
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

/** The posts of each day of a range; eventually consistent, as every list by time. */
export const readCalendar = async (
  ctx: Context,
  { id: workspaceId, timezone: own }: { id: string; timezone: string },
  filter: CalendarQuery,
): Promise<z.infer<typeof Calendar>> => {
  const { timezone = own, postsPerDay } = filter
  const dates = daysOf(filter)
  const starts = [...dates, addDays(filter.to, 1)].map((date) => startOfDay(date, timezone))
  const { PK } = posts.key({ workspaceId, id: '' })
  const keys = await keysIn(ctx, PK, starts[0] ?? 0, starts.at(-1) ?? 0)
  let next = 0
  const byDay = dates.map((date, n) => {
    const [begin, end] = [next, new Date(starts[n + 1] ?? 0).toISOString()]
    // Times in UTC sort as text.
    while (next < keys.length && String(keys[next]?.['scheduledAt']) < end) next += 1
    const first = keys.slice(begin, Math.min(next, begin + postsPerDay)).map(({ SK }) => ({ PK, SK: String(SK) }))
    return { date, count: next - begin, first }
  })
  const rows = await batchGet(
    ctx,
    byDay.flatMap(({ first }) => first),
  )
  const readable = byDay.map(({ first }) =>
    posts.readable(
      ctx,
      first.map((key) => rows.item(key)).filter((item) => item !== undefined),
    ),
  )
  const textOf = await readTexts(ctx, readable.flat())
  const days = byDay.map(({ date, count }, n) => ({
    date,
    count,
    posts: (readable[n] ?? []).map((post) => viewPost(post, textOf(post))),
  }))
  return { timezone, days }
}
