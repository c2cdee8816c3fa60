import { accountName, PostIcon, textOf } from '../parts.tsx'
import { to } from '../route.ts'
import type { Post } from '../store.ts'
import type { Group } from './read.ts'

/** The status of a group: what needs attention, then what is still to come. */
export const statusOf = ({ failed, posts }: Group): Post['status'] => {
  if (failed > 0) return 'failed'
  const statuses = new Set(posts.map(({ status }) => status))
  return (['scheduled', 'published', 'cancelled'] as const).find((status) => statuses.has(status)) ?? 'draft'
}

/** The accounts of a group: pictures and logos for the eye, names for screen readers. */
export const Targets = ({ group: { posts, count } }: { group: Group }) => {
  const [first] = posts
  // A thread has one account.
  const shown = first?.thread == null ? posts.slice(0, 3) : [first]
  const more = first?.thread == null ? count - shown.length : 0
  return (
    <span class="targets">
      {shown.map((post) => (
        <PostIcon key={post.id} post={post} />
      ))}
      {more > 0 && <span aria-hidden="true">+{more}</span>}
      <span class="unseen">
        {shown.map(accountName).join(', ')}
        {more > 0 ? ` and ${more} more` : ''}
      </span>
    </span>
  )
}

/** What a group is, in a line: its text, and the length of a thread. */
export const titleOf = ({ posts: [first], count }: Group): string =>
  first === undefined ? '' : `${first.thread === null || count === 1 ? '' : `Thread of ${count}: `}${textOf(first)}`

/** The page of the first post of a group, which names the others. */
export const addressOf = ({ posts: [first] }: Group): string => to(`post/${first?.id}`)
