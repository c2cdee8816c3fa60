import type { Clock } from '../context.ts'
import type { UnconfirmedAttempt } from './adapter.ts'

/** A page of a listing, newest first. Without `next` the listing ends here, according to the platform. */
export interface ListedPage<Item, Cursor> {
  items: readonly Item[]
  next?: Cursor | undefined
}

/** A list of an account's published posts, and what to look for in it. */
export interface Listing<Item, Cursor> {
  /** Reads a page: the first one without a cursor. */
  read(cursor: Cursor | undefined): Promise<ListedPage<Item, Cursor>>
  /** When an item was published, in milliseconds since 1970; NaN if that cannot be read. */
  atMs(item: Item): number
  /** Whether an item has the content of the post, regardless of its time. */
  isOurs(item: Item): boolean
  /** Whether an item may be the post, if the platform shows only a part of it. */
  mayBeOurs?(item: Item): boolean
}

export interface LookBack<Item, Cursor> extends Listing<Item, Cursor> {
  clock: Clock
  /** No attempt began earlier than this, by the platform's clock. */
  fromMs: number
  /** The most pages to read; ten by default. */
  maxPages?: number
}

/** `found`: every item on the pages read that can be the post. */
export type Seen<Item> = { kind: 'found'; items: readonly [Item, ...Item[]] } | { kind: 'absent' } | { kind: 'unclear' }

const defaultPages = 10
/** No page is started later than this: an invocation has a minute. */
const timeoutMs = 12_000
/** Longest wait for a page; with the patience it is 20 s at most. */
export const pageMs = 8_000

/**
 * No request lasts longer than this: it times out after 30 s, its function ends after 60 s, and a claim is taken over after
 * 120 s (`leaseSeconds`). A post that is published later than this after an attempt does not come from it.
 */
export const landsWithinMs = 180_000

/** The time in which an attempt, or an earlier one that was presumed lost, can have published the post. */
export const windowOf = (
  { startedAtMs, firstStartedAtMs = startedAtMs }: Pick<UnconfirmedAttempt, 'startedAtMs' | 'firstStartedAtMs'>,
  clockSkewMs: number,
) => ({
  fromMs: Math.min(firstStartedAtMs, startedAtMs) - clockSkewMs,
  untilMs: startedAtMs + landsWithinMs + clockSkewMs,
})

/**
 * Looks for a post in a listing. A post counts as absent only where the listing was read back to before the attempt,
 * or to its end: a page that hides it behind newer posts proves nothing. So `absent` needs
 *
 * - the end of the listing by the platform's own word, never by the length of a page; or an item older than the attempt,
 *   and no item before it that is newer than its predecessor, for then the order is not that of the times;
 * - a readable time on every item: without one it is unknown how far back a page goes;
 * - no item since the attempt that shows only a part of what may be the post.
 *
 * Everything else, more pages than `maxPages` too, is `unclear`. What `read` throws is passed on.
 */
export const lookBack = async <Item, Cursor>(options: LookBack<Item, Cursor>): Promise<Seen<Item>> => {
  const { read, atMs, isOurs, mayBeOurs = () => false, clock, fromMs, maxPages = defaultPages } = options
  const startedMs = clock.now()
  let cursor: Cursor | undefined
  let lastMs = Number.POSITIVE_INFINITY
  let [isOrdered, isDated] = [true, true]
  for (let page = 0; page < maxPages && clock.now() - startedMs <= timeoutMs; page += 1) {
    const { items, next } = await read(cursor)
    const times = items.map(atMs)
    for (const at of times) {
      if (Number.isNaN(at)) isDated = false
      else {
        if (at > lastMs) isOrdered = false
        lastMs = at
      }
    }
    const [first, ...others] = items.filter((item, n) => isOurs(item) && (times[n] ?? Number.NaN) >= fromMs)
    if (first !== undefined) return { kind: 'found', items: [first, ...others] }
    // An item with an unreadable time can be ours as well as an older one.
    if (items.some((item, n) => isOurs(item) && Number.isNaN(times[n]))) return { kind: 'unclear' }
    if (items.some((item, n) => mayBeOurs(item) && !((times[n] ?? Number.NaN) < fromMs))) return { kind: 'unclear' }
    const isPast = isOrdered && lastMs < fromMs
    if (next === undefined || isPast) return { kind: isDated ? 'absent' : 'unclear' }
    cursor = next
  }
  return { kind: 'unclear' }
}
