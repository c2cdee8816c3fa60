import { accountName, Empty, Loading, State, textOf } from '../parts.tsx'
import { to } from '../route.ts'
import { type Post, workspace, zone } from '../store.ts'
import { clockIn, dayIn, formatDay } from '../time.ts'
import { useRead } from '../use-read.ts'
import { momentOfPost } from './move.ts'
import { type Filters, readPosts } from './read.ts'

export interface RangeProps {
  from: string
  to: string
  filters: Filters
}

/** The posts of a range; undefined until the first read. */
export const useRange = ({ from, to: last, filters }: RangeProps) => {
  const [read] = useRead((signal) => readPosts(from, last, filters, signal), [workspace.value?.id, from, last, filters])
  return read
}

export const Row = ({ post }: { post: Post }) => (
  <li>
    <a href={to(`post/${post.id}`)}>
      <time dateTime={post.scheduledAt ?? undefined}>{clockIn(momentOfPost(post), zone.value)}</time>
      <span class="what">
        <span class="text">{textOf(post).slice(0, 160)}</span>
        <span class="soft">{accountName(post)}</span>
      </span>
      <State status={post.status} />
    </a>
  </li>
)

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
            {posts.map((post) => (
              <Row key={post.id} post={post} />
            ))}
          </ul>
        </section>
      ))}
      {!read.isComplete && <p class="soft">There are more posts. Filter them, or show a week.</p>}
    </div>
  )
}
