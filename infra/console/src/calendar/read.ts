import { api, type Post, zone } from '../store.ts'
import { addDays, dayIn, startOfDay } from '../time.ts'
import { momentOfPost } from './move.ts'

/** What a calendar shows: every post, or those that the filters let through. */
export interface Filters {
  account: string
  status: string
  q: string
}

export interface Day {
  date: string
  count: number
  /** The first posts of the day. */
  posts: readonly Post[]
}

const startOf = (day: string) => new Date(startOfDay(day, zone.value))

const rangeOf = (from: string, to: string, { account, status, q }: Filters) => ({
  from: startOf(from).toISOString(),
  to: startOf(addDays(to, 1)).toISOString(),
  ...({ sort: 'scheduledAt', order: 'asc' } as const),
  ...(account === '' ? {} : { socialAccountId: account }),
  ...(status === '' ? {} : { status: status as Post['status'] }),
  ...(q === '' ? {} : { q }),
})

/** The most pages of a filtered range: 1,000 posts. */
const maxPages = 10

/** The posts from a day to another one, in the order of their times. `isComplete` is false if there are more. */
export const readPosts = async (from: string, to: string, filters: Filters, signal: AbortSignal) => {
  const posts: Post[] = []
  let pages = 0
  for await (const page of api().posts.list.pages({ ...rangeOf(from, to, filters), limit: 100 }, { signal })) {
    posts.push(...page.items)
    pages += 1
    if (pages === maxPages) return { posts, isComplete: !page.hasMore }
  }
  return { posts, isComplete: true }
}

/** The days of a range: one request without filters, whatever the number of posts. */
export const readDays = async (
  range: { from: string; to: string; perDay: number },
  filters: Filters,
  signal: AbortSignal,
): Promise<{ days: Day[]; isComplete: boolean }> => {
  const { from, to, perDay } = range
  if (filters.account === '' && filters.status === '' && filters.q === '') {
    const query = { from, to, timezone: zone.value, postsPerDay: perDay }
    return { days: (await api().posts.calendar(query, { signal })).days, isComplete: true }
  }
  const { posts, isComplete } = await readPosts(from, to, filters, signal)
  const byDay = Map.groupBy(posts, (post) => dayIn(momentOfPost(post), zone.value))
  const days: Day[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const own = byDay.get(date) ?? []
    days.push({ date, count: own.length, posts: own.slice(0, perDay) })
  }
  return { days, isComplete }
}
