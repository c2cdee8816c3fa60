import type { Published } from '../../../../infra/local/platforms/ledger.ts'
import type { Post } from '../../../../shared/posts/lifecycle/row.ts'
import { type Journal, type JournaledPost, markersIn, type PostRequest } from '../journal.ts'

const list = (values: Iterable<unknown>) => [...values].join(', ') || 'nothing'

/** A request that is repeated with one key, or interrupted and repeated, creates posts once; a refused one creates none. */
const compareRequests = (requests: readonly PostRequest[], posts: readonly JournaledPost[], rows: readonly Post[]) => {
  const rowsOf = Map.groupBy(rows, ({ content = '' }) => markersIn(content)[0])
  const deleted = Map.groupBy(
    posts.filter(({ deleted }) => deleted === 'yes'),
    ({ marker }) => marker,
  )
  const differences = requests.flatMap(({ marker, platforms, accepted }) => {
    const livePosts = rowsOf.get(marker)?.map(({ platform }) => platform) ?? []
    const gone = deleted.get(marker)?.map(({ platform }) => platform) ?? []
    const expected = accepted ? platforms : []
    const isSame = list([...livePosts, ...gone].sort()) === list([...expected].sort())
    return isSame
      ? []
      : [`request ${marker} (accepted: ${accepted}) has posts on ${list(livePosts)}, not on ${list(expected)}`]
  })
  const known = new Set(requests.map(({ marker }) => marker))
  const strange = [...rowsOf.keys()].filter((marker) => marker === undefined || !known.has(marker))
  return [...differences, ...strange.map((marker) => `posts of ${marker} exist without a request`)]
}

/** The service reports that a platform may have received a post. */
const isUnknown = ({ status, reason }: Post): boolean => status === 'failed' && reason === 'outcome_unknown'

const compareState = (journaled: JournaledPost, row: Post | undefined): string[] => {
  const name = `post ${journaled.id} (${journaled.marker} on ${journaled.platform})`
  if (journaled.deleted === 'yes') return row === undefined ? [] : [`${name} was deleted and is there as ${row.status}`]
  if (row === undefined) return [`${name} was accepted and is lost`]
  const { status, reason, error, scheduledAtMs } = row
  const differences: string[] = []
  const isOver = status === 'published' || status === 'cancelled' || isUnknown(row)
  if (!isOver) differences.push(`${name} ended as ${status}: ${reason ?? ''} ${error ?? ''}`)
  if (journaled.cancelled === 'yes' && status !== 'cancelled') differences.push(`${name} was canceled and is ${status}`)
  if (journaled.cancelled === 'no' && status === 'cancelled') differences.push(`${name} is cancelled without a request`)
  if (journaled.moments.length > 0 && !journaled.moments.includes(scheduledAtMs)) {
    differences.push(`${name} is scheduled for ${scheduledAtMs}, not for ${list(journaled.moments)}`)
  }
  return differences
}

/** How many live posts a post may have, at least and at most. */
const liveRange = (journaled: JournaledPost, row: Post | undefined): [number, number] => {
  const again = journaled.mayBeSentTwice ? 1 : 0
  if (row?.status === 'published') return [1, 1 + again]
  const mayBeLive = journaled.mayBeLive || (row !== undefined && isUnknown(row))
  return [0, (mayBeLive ? 1 : 0) + again]
}

const keyOf = ({ platform, marker }: { platform: string; marker: string | undefined }) => `${marker} on ${platform}`

/** Everything is live exactly once, nothing is live that should not be, and nothing before its time. */
const compareLive = (
  posts: readonly JournaledPost[],
  rows: ReadonlyMap<string, Post>,
  published: readonly Published[],
) => {
  const live = Map.groupBy(published, ({ platform, text }) => keyOf({ platform, marker: markersIn(text)[0] }))
  const journaled = Map.groupBy(posts, keyOf)
  const strange = [...live.keys()]
    .filter((key) => !journaled.has(key))
    .map((key) => `${key} is live, and no post says so`)
  const differences = [...journaled].flatMap(([key, group]) => {
    const livePosts = live.get(key) ?? []
    const ranges = group.map((post) => liveRange(post, rows.get(post.id)))
    const least = ranges.reduce((sum, [from]) => sum + from, 0)
    const max = ranges.reduce((sum, [, to]) => sum + to, 0)
    const fits = livePosts.length >= least && livePosts.length <= max
    // What was published immediately and then deleted has no time left that could be compared.
    const dueMs = Math.min(...group.map(({ id, moments }) => rows.get(id)?.scheduledAtMs ?? Math.min(...moments)))
    const early = livePosts.filter(({ publishedAt }) => Number.isFinite(dueMs) && publishedAt < dueMs)
    return [
      ...(fits
        ? []
        : [`${key} is live ${livePosts.length} times, not ${least === max ? least : `${least} to ${max}`}`]),
      ...early.map(({ publishedAt }) => `${key} was published ${dueMs - publishedAt} ms early`),
    ]
  })
  return [...strange, ...differences]
}

/** The posts of the table and of the platforms against the requests. */
export const comparePosts = (journal: Journal, rows: readonly Post[], published: readonly Published[]): string[] => {
  const posts = [...journal.posts.values()]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [
    ...compareRequests(journal.requests, posts, rows),
    ...posts.flatMap((journaled) => compareState(journaled, byId.get(journaled.id))),
    ...compareLive(posts, byId, published),
  ]
}
