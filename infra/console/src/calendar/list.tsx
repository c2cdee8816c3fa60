import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Empty, Loading, State } from '../parts.tsx'
import { to } from '../route.ts'
import { changes, type Post, workspace, zone } from '../store.ts'
import { clockIn, dayIn, formatDay, now } from '../time.ts'
import { useRead, useReadEffect } from '../use-read.ts'
import { addressOf, statusOf, Targets, titleOf } from './group.tsx'
import { momentOfPost } from './moment.ts'
import { momentOfGroup } from './move.ts'
import { type Filters, type Group, groupsOf, type Pages, readPages, readPosts } from './read.ts'
import { Box, offer, selects } from './selection.tsx'

export interface RangeProps {
  from: string
  to: string
  filters: Filters
}

/** How often posts are read again while one of them is due, in milliseconds. */
export const pauseMs = 5_000

/** Whether a post is due within a minute, or was due a moment ago and has not ended. */
export const isPending = (post: Post): boolean =>
  post.status === 'scheduled' && Math.abs(momentOfPost(post) - now()) < 60_000

/** The posts of a range; undefined until the first read. */
export const useRange = ({ from, to: last, filters }: RangeProps) => {
  const [read] = useRead(
    (signal) => readPosts(from, last, filters, signal),
    [workspace.value?.id, from, last, filters],
    { isPending: ({ posts }) => posts.some(isPending), pauseMs },
  )
  return read
}

export const Row = ({ group }: { group: Group }) => {
  const [first] = group.posts
  const error = first?.status === 'failed' ? first.error : null
  return (
    <li>
      <Box group={group} />
      <a href={addressOf(group)} {...selects(group)}>
        <time dateTime={first?.scheduledAt ?? undefined}>{clockIn(momentOfGroup(group), zone.value)}</time>
        <span class="what">
          <span class="text">{titleOf(group).slice(0, 160)}</span>
          <span class="soft">
            <Targets group={group} />
          </span>
          {error !== null && <span class="bad">{error}</span>}
        </span>
        <State status={statusOf(group)} />
      </a>
    </li>
  )
}

const byDay = (posts: readonly Post[]) =>
  [...Map.groupBy(posts, (post) => dayIn(momentOfPost(post), zone.value))].map(([day, own]) => ({
    day,
    groups: groupsOf(own),
  }))

const Days = ({ days }: { days: ReturnType<typeof byDay> }) => (
  <>
    {days.map(({ day, groups }) => (
      <section key={day}>
        <h2>{formatDay(day)}</h2>
        <ul class="rows">
          {groups.map((group) => (
            <Row key={group.groupId} group={group} />
          ))}
        </ul>
      </section>
    ))}
  </>
)

/** A side of the list: so many pages of the posts before a day, or from it on. */
const usePages = (side: 'earlier' | 'later', day: string, filters: Filters, count: number) => {
  const [pages, setPages] = useState<Pages>()
  const key = JSON.stringify([workspace.value?.id, changes.value])
  useReadEffect(
    count === 0 ? undefined : (signal) => readPages({ key, day, side, filters, count }, pages, signal),
    [key, count],
    setPages,
    // To read many pages again and again would take too many requests.
    { isPending: ({ posts }) => count < 4 && posts.some(isPending), pauseMs },
  )
  return pages
}

interface MoreProps {
  pages: Pages
  onMore: () => void
}

/** Reads the next page when it comes into view, or when it is pressed. */
const More = ({ pages, onMore }: MoreProps) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '600px' })
    if (button.current !== null) observer.observe(button.current)
    return () => observer.disconnect()
  }, [pages])
  return (
    <button type="button" ref={button} onClick={onMore}>
      Show more
    </button>
  )
}

/** Posts by day, from a day on without an end; those before it on request. */
export const List = ({ from, filters }: Omit<RangeProps, 'to'>) => {
  const [counts, setCounts] = useState({ earlier: 0, later: 1 })
  const earlier = usePages('earlier', from, filters, counts.earlier)
  const later = usePages('later', from, filters, counts.later)
  const start = useRef<HTMLDivElement>(null)
  // What was in view stays there when earlier posts come above it.
  useLayoutEffect(() => {
    if (earlier !== undefined) start.current?.scrollIntoView({ block: 'center' })
  }, [earlier?.count])
  if (later === undefined) return <Loading />
  const [before, after] = [byDay(earlier?.posts.toReversed() ?? []), byDay(later.posts)]
  offer([...before, ...after].flatMap(({ groups }) => groups))
  return (
    <div class="list">
      {earlier === undefined || earlier.cursor !== undefined ? (
        <button type="button" onClick={() => setCounts({ ...counts, earlier: (earlier?.count ?? 0) + 1 })}>
          Earlier
        </button>
      ) : (
        <p class="soft">No earlier posts.</p>
      )}
      <Days days={before} />
      <div ref={start} />
      <Days days={after} />
      {after.length === 0 && later.cursor === undefined && (
        <Empty>
          Nothing scheduled. <a href={to('compose')}>Create a post</a>
        </Empty>
      )}
      {later.cursor !== undefined && (
        <More pages={later} onMore={() => setCounts({ ...counts, later: later.count + 1 })} />
      )}
    </div>
  )
}
