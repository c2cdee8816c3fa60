import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { Cancelled, cancelPost } from '../../../shared/posts/changes/cancel.ts'
import { changeErrors } from '../../../shared/posts/changes/refusals.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/{id}/cancel',
    summary: 'Cancel a scheduled post',
    access: scope('posts:schedule'),
    params: IdPath,
    status: 200,
    data: Cancelled,
    errors: [...changeErrors, 'invalid_post_status'],
    needs: ['table:read', 'table:write', 'queue:events'],
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, prefetched }) => cancelPost(ctx, workspace, findPost(prefetched, workspace.id, params.id)),
)
