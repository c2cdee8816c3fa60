import { Empty, Loading, State } from '../parts.tsx'
import { to } from '../route.ts'
import { type Post, workspace, zone } from '../store.ts'
import { clockIn, dayIn, formatDay, now } from '../time.ts'
import { useRead } from '../use-read.ts'
import { addressOf, statusOf, Targets, titleOf } from './group.tsx'
import { momentOfPost } from './moment.ts'
import { momentOfGroup } from './move.ts'
import { type Filters, type Group, groupsOf, readPosts } from './read.ts'

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
      <a href={addressOf(group)}>
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

/** Posts one after the other, by day. */
export const List = (range: RangeProps) => {
  const read = useRange(range)
  if (read === undefined) return <Loading />
  const byDay = Map.groupBy(read.posts, (post) => dayIn(momentOfPost(post), zone.value))
  if (byDay.size === 0) {
    return (
      <Empty>
        No posts here. <a href={to('compose', {})}>Write one</a>.
      </Empty>
    )
  }
  return (
    <div class="list">
      {[...byDay].map(([day, posts]) => (
        <section key={day}>
          <h2>{formatDay(day, { weekday: 'long', month: 'long', day: 'numeric' })}</h2>
          <ul class="rows">
            {groupsOf(posts).map((group) => (
              <Row key={group.groupId} group={group} />
            ))}
          </ul>
        </section>
      ))}
      {!read.isComplete && <p class="soft">There are more posts. Filter them, or show a week.</p>}
    </div>
  )
}
