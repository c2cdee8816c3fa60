import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { Cancelled, cancelPost } from '../../../shared/posts/changes/cancel.ts'
import { changeErrors } from '../../../shared/posts/changes/refusals.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'
import { postTag } from '../../../shared/posts/reading/view.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/{id}/cancel',
    summary: 'Cancel a scheduled post',
    description:
      'Cancels a scheduled post. The post stays listed with the status `cancelled`. Returns 409 `publish_in_progress` once publishing has begun. For a thread, cancel its first post; the others follow.',
    access: scope('posts:schedule'),
    params: idPath('The ID of the post.'),
    status: 200,
    data: Cancelled,
    etag: postTag,
    errors: [...changeErrors, 'invalid_post_status'],
    needs: ['table:read', 'table:write', 'queue:events'],
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, prefetched }) => cancelPost(ctx, workspace, findPost(prefetched, workspace.id, params.id)),
)
