import type { BatchRows, Key } from '../../db/table.ts'
import { postNotFound } from '../changes/refusals.ts'
import { type Post, posts } from '../lifecycle/row.ts'

/** The row of the post a path names, for the read that also authorizes. */
export const postKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  posts.key({ workspaceId, id: params.id }),
]

/** The post a path names; 404 where this workspace has none of that id. */
export const findPost = (found: BatchRows, workspaceId: string, id: string): Post => {
  const post = posts.from(found, { workspaceId, id })
  if (!post) throw postNotFound(id)
  return post
}
