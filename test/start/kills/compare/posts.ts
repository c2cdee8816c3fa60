import type { Published } from '../../../../infra/local/platforms/ledger.ts'
import type { Post } from '../../../../shared/posts/lifecycle/row.ts'
import { type Journal, type KeptPost, markersIn, type PostRequest } from '../journal.ts'

const list = (values: Iterable<unknown>) => [...values].join(', ') || 'nothing'

/** What is asked for twice with one key, or cut off and asked for again, makes posts once; what is refused makes none. */
const compareRequests = (requests: readonly PostRequest[], posts: readonly KeptPost[], rows: readonly Post[]) => {
  const rowsOf = Map.groupBy(rows, ({ content = '' }) => markersIn(content)[0])
  const deleted = Map.groupBy(
    posts.filter(({ deleted }) => deleted === 'yes'),
    ({ marker }) => marker,
  )
  const differences = requests.flatMap(({ marker, platforms, accepted }) => {
    const found = rowsOf.get(marker)?.map(({ platform }) => platform) ?? []
    const gone = deleted.get(marker)?.map(({ platform }) => platform) ?? []
    const expected = accepted ? platforms : []
    const isSame = list([...found, ...gone].sort()) === list([...expected].sort())
    return isSame
      ? []
      : [`request ${marker} (accepted: ${accepted}) has posts on ${list(found)}, not on ${list(expected)}`]
  })
  const known = new Set(requests.map(({ marker }) => marker))
  const strange = [...rowsOf.keys()].filter((marker) => marker === undefined || !known.has(marker))
  return [...differences, ...strange.map((marker) => `posts of ${marker} are there that nobody asked for`)]
}

/** A platform may have got a post, and nobody can tell; the service says so. */
const isUnknown = ({ status, reason }: Post): boolean => status === 'failed' && reason === 'outcome_unknown'

const compareState = (kept: KeptPost, row: Post | undefined): string[] => {
  const name = `post ${kept.id} (${kept.marker} on ${kept.platform})`
  if (kept.deleted === 'yes') return row === undefined ? [] : [`${name} was deleted and is there as ${row.status}`]
  if (row === undefined) return [`${name} was accepted and is lost`]
  const { status, reason, error, scheduledAtMs } = row
  const differences: string[] = []
  const isOver = status === 'published' || status === 'cancelled' || isUnknown(row)
  if (!isOver) differences.push(`${name} ended as ${status}: ${reason ?? ''} ${error ?? ''}`)
  if (kept.cancelled === 'yes' && status !== 'cancelled') differences.push(`${name} was cancelled and is ${status}`)
  if (kept.cancelled === 'no' && status === 'cancelled')
    differences.push(`${name} is cancelled, which nobody asked for`)
  if (kept.moments.length > 0 && !kept.moments.includes(scheduledAtMs)) {
    differences.push(`${name} is scheduled for ${scheduledAtMs}, not for ${list(kept.moments)}`)
  }
  return differences
}

/** How many live posts a post may have, at least and at most. */
const liveRange = (kept: KeptPost, row: Post | undefined): [number, number] => {
  const again = kept.mayBeSentTwice ? 1 : 0
  if (row?.status === 'published') return [1, 1 + again]
  const mayBeLive = kept.mayBeLive || (row !== undefined && isUnknown(row))
  return [0, (mayBeLive ? 1 : 0) + again]
}

const keyOf = ({ platform, marker }: { platform: string; marker: string | undefined }) => `${marker} on ${platform}`

/** Everything is live exactly once, nothing is live that should not be, and nothing before its time. */
const compareLive = (posts: readonly KeptPost[], rows: ReadonlyMap<string, Post>, published: readonly Published[]) => {
  const live = Map.groupBy(published, ({ platform, text }) => keyOf({ platform, marker: markersIn(text)[0] }))
  const kept = Map.groupBy(posts, keyOf)
  const strange = [...live.keys()].filter((key) => !kept.has(key)).map((key) => `${key} is live, and no post says so`)
  const differences = [...kept].flatMap(([key, group]) => {
    const found = live.get(key) ?? []
    const ranges = group.map((one) => liveRange(one, rows.get(one.id)))
    const least = ranges.reduce((sum, [from]) => sum + from, 0)
    const most = ranges.reduce((sum, [, to]) => sum + to, 0)
    const fits = found.length >= least && found.length <= most
    // What was published at once and then deleted has no time left that could be compared.
    const dueMs = Math.min(...group.map(({ id, moments }) => rows.get(id)?.scheduledAtMs ?? Math.min(...moments)))
    const early = found.filter(({ publishedAt }) => Number.isFinite(dueMs) && publishedAt < dueMs)
    return [
      ...(fits ? [] : [`${key} is live ${found.length} times, not ${least === most ? least : `${least} to ${most}`}`]),
      ...early.map(({ publishedAt }) => `${key} went out ${dueMs - publishedAt} ms early`),
    ]
  })
  return [...strange, ...differences]
}

/** The posts of the table and of the platforms against what was asked for. */
export const comparePosts = (journal: Journal, rows: readonly Post[], published: readonly Published[]): string[] => {
  const posts = [...journal.posts.values()]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [
    ...compareRequests(journal.requests, posts, rows),
    ...posts.flatMap((kept) => compareState(kept, byId.get(kept.id))),
    ...compareLive(posts, byId, published),
  ]
}
