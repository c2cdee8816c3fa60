import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { idPath } from '../../../shared/http/id.ts'
import { Deleted, deletePost } from '../../../shared/posts/changes/delete.ts'
import { changeErrors } from '../../../shared/posts/changes/refusals.ts'
import { requestLiveDeletion } from '../../../shared/posts/live/request.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/posts/{id}',
    summary: 'Delete a post',
    description:
      'Deletes the record, and cancels a scheduled post. A published post stays on the platform: the response then has `published: true` and the URL. With `live=true` it is the live post that is deleted, where its platform permits that, and the record stays. While a change of the live post or its first comment is under way, the record stays: 409 `live_change_pending`.',
    access: scope('posts:delete'),
    params: idPath('The ID of the post.'),
    query: z.strictObject({
      live: described(
        z.optional(z.enum(['true', 'false'])),
        '`true` removes the live post from its platform and keeps the record. An extension of the specification.',
      ),
    }),
    status: 200,
    data: Deleted,
    errors: [...changeErrors, 'invalid_post_status', 'live_deletion_not_supported', 'live_change_pending'],
    needs: ['table:read', 'table:write', 'queue:events', 'queue:publish'],
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, query, prefetched }) => {
    const post = findPost(prefetched, workspace.id, params.id)
    return query.live === 'true' ? requestLiveDeletion(ctx, workspace, post) : deletePost(ctx, workspace, post)
  },
)
