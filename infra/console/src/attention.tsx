import { deletePosts } from './calendar/cancel.ts'
import { canRetry, momentOfPost, soon } from './calendar/moment.ts'
import { readPosts } from './calendar/read.ts'
import { accountName, Empty, Loading, PostIcon, textOf } from './parts.tsx'
import { to } from './route.ts'
import { attempt, say } from './service.ts'
import { api, attentionRange, changes, type Post, workspace, zone } from './store.ts'
import { formatMoment } from './time.ts'
import { useRead } from './use-read.ts'

/** Sends a failed post again. */
export const retryNow = async (post: Post): Promise<void> => {
  if ((await attempt(() => api().posts.reschedule(post.id, { scheduledAt: soon() }))) === undefined) return
  say(`Trying ${accountName(post)} again now.`)
  changes.value += 1
}

const Failure = ({ post }: { post: Post }) => (
  <li>
    <div class="failure">
      <p>
        <PostIcon post={post} /> <strong>{accountName(post)}</strong>{' '}
        <span class="soft">{formatMoment(momentOfPost(post), zone.value)}</span>
      </p>
      <p class="text">{textOf(post).slice(0, 160)}</p>
      <p class="bad">{post.error}</p>
      <div class="actions">
        {canRetry(post) && (
          <button type="button" class="main" onClick={() => retryNow(post)}>
            Retry now
          </button>
        )}
        <a class="button" href={to(`post/${post.id}`)}>
          Details
        </a>
        <button type="button" onClick={() => deletePosts([post])}>
          Delete
        </button>
      </div>
    </div>
  </li>
)

/** The posts that failed in the last weeks, the latest first, with what can be done about each. */
export const AttentionView = () => {
  const { from, to: last } = attentionRange()
  const [read] = useRead(
    (signal) => readPosts(from, last, { account: '', status: 'failed', q: '' }, signal),
    [workspace.value?.id, from],
  )
  return (
    <section class="attention">
      <h1>Needs attention</h1>
      {read === undefined ? (
        <Loading />
      ) : read.posts.length === 0 ? (
        <Empty>Nothing needs your attention. No post has failed in the last five weeks.</Empty>
      ) : (
        <ul class="rows">
          {read.posts.toReversed().map((post) => (
            <Failure key={post.id} post={post} />
          ))}
        </ul>
      )}
    </section>
  )
}
