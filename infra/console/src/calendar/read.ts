import { startOf } from '../day.ts'
import { api, type Post, zone } from '../store.ts'
import { addDays, dayIn } from '../time.ts'
import { settle } from '../use-read.ts'
import { momentOfPost } from './moment.ts'

/** What a calendar shows: every post, or those that the filters let through. */
export interface Filters {
  account: string
  status: string
  q: string
}

/** The posts of one request on a day: one text for several accounts, or a thread. */
export interface Group {
  groupId: string
  count: number
  failed: number
  /** Some of them: failed posts first. */
  posts: readonly Post[]
}

export interface Day {
  date: string
  count: number
  failed: number
  /** The first groups of the day, failures first. */
  groups: readonly Group[]
}

const isFailed = ({ status }: Post) => status === 'failed'

/** Posts by the request that they came with, in the order of the first one of each. */
export const groupsOf = (posts: readonly Post[]): Group[] =>
  [...Map.groupBy(posts, ({ groupId, id }) => groupId ?? id)].map(([groupId, own]) => {
    const failed = own.filter(isFailed)
    const rest = own.filter((post) => !isFailed(post)).sort((a, b) => (a.id < b.id ? -1 : 1))
    return { groupId, count: own.length, failed: failed.length, posts: [...failed, ...rest] }
  })

/** All posts of a group on its day. */
export const readGroup = async ({ groupId, count, posts }: Group): Promise<readonly Post[]> => {
  const [first] = posts
  if (count <= posts.length || first === undefined) return posts
  const { items } = await api().posts.list({ groupId, limit: 100 })
  const day = dayIn(momentOfPost(first), zone.value)
  return items.filter((post) => dayIn(momentOfPost(post), zone.value) === day)
}

const queryOf = ({ account, status, q }: Filters) => ({
  sort: 'scheduledAt' as const,
  limit: 100,
  ...(account === '' ? {} : { socialAccountId: account }),
  ...(status === '' ? {} : { status: status as Post['status'] }),
  ...(q.trim() === '' ? {} : { q: q.trim() }),
})

/** The posts before a day, the latest first, or those from it on, the earliest first. */
const sideOf = (day: string, side: 'earlier' | 'later') =>
  side === 'earlier' ? { to: startOf(day), order: 'desc' as const } : { from: startOf(day), order: 'asc' as const }

/** The first pages of a list, and how to go on. */
export interface Pages {
  key: string
  posts: readonly Post[]
  count: number
  cursor: string | undefined
}

interface PagesRequest {
  key: string
  day: string
  side: 'earlier' | 'later'
  filters: Filters
  count: number
}

/** Reads as many pages as requested, and only those that are missing where the key is the same as before. */
export const readPages = async (
  { key, day, side, filters, count }: PagesRequest,
  before: Pages | undefined,
  signal: AbortSignal,
): Promise<Pages> => {
  if (filters.q !== '') await settle(signal)
  const query = { ...queryOf(filters), ...sideOf(day, side) }
  let pages = before?.key === key && before.count < count ? before : { key, posts: [], count: 0, cursor: undefined }
  do {
    const cursor = pages.cursor === undefined ? {} : { cursor: pages.cursor }
    const { items, nextCursor } = await api().posts.list({ ...query, ...cursor }, { signal })
    pages = { key, posts: [...pages.posts, ...items], count: pages.count + 1, cursor: nextCursor }
  } while (pages.count < count && pages.cursor !== undefined)
  return pages
}

/** The most pages of a filtered range: 1,000 posts. */
const maxPages = 10

/** The posts from a day to another one, in the order of their times. `isComplete` is false if there are more. */
export const readPosts = async (from: string, to: string, filters: Filters, signal: AbortSignal) => {
  const posts: Post[] = []
  let pages = 0
  if (filters.q !== '') await settle(signal)
  const query = { ...queryOf(filters), ...sideOf(from, 'later'), to: startOf(addDays(to, 1)) }
  for await (const page of api().posts.list.pages(query, { signal })) {
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
    const query = { from, to, timezone: zone.value, postsPerDay: 0, groupsPerDay: perDay }
    return { days: (await api().posts.calendar(query, { signal })).days, isComplete: true }
  }
  const { posts, isComplete } = await readPosts(from, to, filters, signal)
  const byDay = Map.groupBy(posts, (post) => dayIn(momentOfPost(post), zone.value))
  const days: Day[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const own = byDay.get(date) ?? []
    const groups = groupsOf(own).sort((a, b) => Number(b.failed > 0) - Number(a.failed > 0))
    days.push({ date, count: own.length, failed: own.filter(isFailed).length, groups: groups.slice(0, perDay) })
  }
  return { days, isComplete }
}
