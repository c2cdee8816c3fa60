import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { Deleted, deletePost } from '../../../shared/posts/changes/delete.ts'
import { changeErrors } from '../../../shared/posts/changes/refusals.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/posts/{id}',
    summary: 'Delete a post',
    description:
      'Deletes the record, and cancels a scheduled post. A published post stays on the platform: the response then has `published: true` and the URL.',
    access: scope('posts:delete'),
    params: idPath('The ID of the post.'),
    status: 200,
    data: Deleted,
    errors: [...changeErrors],
    needs: ['table:read', 'table:write', 'queue:events'],
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, prefetched }) => deletePost(ctx, workspace, findPost(prefetched, workspace.id, params.id)),
)
