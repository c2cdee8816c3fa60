import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { changeErrors } from '../../../shared/posts/changes/refusals.ts'
import { reschedulePost } from '../../../shared/posts/changes/reschedule.ts'
import { planErrors } from '../../../shared/posts/intake/accept.ts'
import { ReschedulePostRequest } from '../../../shared/posts/intake/requests.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'
import { PostView } from '../../../shared/posts/reading/view.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/{id}/reschedule',
    summary: 'Reschedule a post',
    description: 'Gives a scheduled or failed post a new time, and new content if you send it.',
    access: scope('posts:schedule'),
    params: IdPath,
    body: ReschedulePostRequest,
    status: 200,
    data: PostView,
    errors: [...changeErrors, 'invalid_post_status', 'thread_partially_published', ...planErrors],
    needs: [
      'table:read',
      'table:write',
      'queue:prepare',
      'queue:publish',
      'queue:events',
      'schedule',
      'kms:decrypt',
      'platform-secrets',
    ],
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, body, prefetched }) =>
    reschedulePost(ctx, workspace, findPost(prefetched, workspace.id, params.id), body),
)
