import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { queryAll } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { pair } from '../ids.ts'
import { type Post, posts } from './lifecycle/row.ts'

/** All tweets of a post's thread in order, as they are now; only the post if it is not in a thread. */
export const threadOf = async (ctx: Context, post: Post): Promise<Post[]> => {
  if (post.thread === undefined) return [post]
  const { PK } = posts.key({ workspaceId: post.workspaceId, id: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', post.groupId)) })
  return rows.map(posts.parse).sort((a, b) => (a.thread?.index ?? 0) - (b.thread?.index ?? 0))
}

/** Decided: a thread is changed through its first tweet, which includes the rest. */
export const assertThreadHead = (post: Post): void => {
  if (post.thread === undefined || post.thread.index === 0) return
  const head = post.groupId + pair(0)
  const text = `This is tweet ${post.thread.index + 1} of a thread. Only its first post (${head}) can be changed; the rest follows.`
  throw new Refusal('invalid', text, { code: 'not_thread_head', field: 'id' })
}
