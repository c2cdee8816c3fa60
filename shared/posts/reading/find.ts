import type { BatchRows, Key } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type Post, posts } from '../lifecycle/row.ts'

/** The row of the post in the path, read together with the authorization. */
export const postKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  posts.key({ workspaceId, id: params.id }),
]

export const postNotFound = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no post ${id}.`, { code: 'post_not_found', field: 'id' })

/** The post in the path; throws 404 if this workspace has no post with that id. */
export const findPost = (rows: BatchRows, workspaceId: string, id: string): Post => {
  const post = posts.from(rows, { workspaceId, id })
  if (!post) throw postNotFound(id)
  return post
}
