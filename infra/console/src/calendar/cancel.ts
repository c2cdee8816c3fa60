import { api, type Post } from '../store.ts'
import { counted, doAll } from './batch.ts'
import { byPosition } from './moment.ts'

type Posts = readonly [Post, ...Post[]]

/** A thread is canceled and deleted with its first post. */
const headOf = ({ id, thread }: Post): string => thread?.headPostId ?? id

/** Posts by the post that stands for them in a call. */
const byHead = (posts: readonly Post[]) => [...Map.groupBy(posts, headOf)] as [string, [Post, ...Post[]]][]

const commentOf = ({ firstComment }: Post) =>
  firstComment === null ? null : { text: firstComment.text, delaySeconds: firstComment.delaySeconds }

/** What a post and a thread share. */
const aroundOf = ([first, ...others]: Posts) => ({
  metadata: Object.assign({}, ...[first, ...others].map(({ metadata }) => metadata)) as Record<string, unknown>,
  scheduledAt: first.scheduledAt ?? first.plannedAt,
  ...(first.externalId === null ? {} : { externalId: first.externalId }),
})

/** The request that creates these posts again, in one group. */
const requestOf = (posts: Posts) => {
  const by = <T>(read: (post: Post) => T) => Object.fromEntries(posts.map((post) => [post.platform, read(post)]))
  return {
    ...aroundOf(posts),
    socialAccountIds: posts.map(({ socialAccountId }) => socialAccountId),
    content: posts[0].content,
    mediaUrls: posts[0].mediaUrls,
    platformContent: by(({ content }) => content),
    platformMedia: by(({ mediaUrls }) => mediaUrls),
    firstCommentByAccount: Object.fromEntries(posts.map((post) => [post.socialAccountId, commentOf(post)])),
    naturalPosting: posts[0].plannedAt !== posts[0].scheduledAt,
  }
}

const differs = (a: Post, b: Post): boolean =>
  a.platform === b.platform &&
  JSON.stringify([a.content, a.mediaUrls, a.metadata]) !== JSON.stringify([b.content, b.mediaUrls, b.metadata])

/** One request for the posts of a group that have the same time; one for each where accounts of a platform differ. */
const requestsOf = (posts: readonly Post[]) => {
  const groups = Map.groupBy(posts, ({ groupId, scheduledAt, externalId }) => `${groupId} ${scheduledAt} ${externalId}`)
  return [...groups.values()].flatMap((group) =>
    group.some((a) => group.some((b) => differs(a, b)))
      ? group.map((post) => requestOf([post]))
      : [requestOf(group as [Post, ...Post[]])],
  )
}

/** Cancels the posts that are scheduled. "Undo" schedules the same posts again, since a canceled post is final. */
export const cancelPosts = (posts: readonly Post[]): Promise<boolean> => {
  const { posts: calls } = api()
  const scheduleThread = async ([head]: Posts) => {
    const { items } = await calls.list({ groupId: head.groupId ?? '', limit: 100 })
    const tweets = items
      .filter((post) => headOf(post) === headOf(head) && post.status === 'cancelled')
      .sort(byPosition) as [Post, ...Post[]]
    const comment = commentOf(tweets.at(-1) ?? head)
    return calls.scheduleThread({
      ...aroundOf(tweets),
      ...(comment === null ? {} : { firstComment: comment }),
      socialAccountId: head.socialAccountId,
      tweets: tweets.map(({ content, mediaUrls }) => ({ content, mediaUrls })),
    })
  }
  return doAll(
    byHead(posts.filter(({ status }) => status === 'scheduled')),
    ([id]) => calls.cancel(id),
    (canceled) => {
      const done = canceled.map(([, own]) => own)
      const again = [
        ...requestsOf(done.flat().filter(({ thread }) => thread === null)).map(
          (request) => () => calls.schedule(request),
        ),
        ...done.filter(([{ thread }]) => thread !== null).map((thread) => () => scheduleThread(thread)),
      ]
      return {
        text: counted(done.flat().length, 'canceled'),
        undo: () =>
          doAll(
            again,
            (call) => call(),
            () => ({ text: 'Scheduled again.' }),
          ),
      }
    },
  )
}

/** Deletes posts here; what is live stays on its platform. */
export const deletePosts = (posts: readonly Post[]): Promise<boolean> => {
  const { posts: calls } = api()
  return doAll(
    byHead(posts),
    ([id]) => calls.delete(id),
    (deleted) => ({ text: counted(deleted.length, 'deleted') }),
  )
}
