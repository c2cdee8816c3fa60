import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { changePost } from '../../../shared/posts/changes/change.ts'
import { changeErrors } from '../../../shared/posts/changes/refusals.ts'
import { planErrors, planNeeds } from '../../../shared/posts/intake/accept.ts'
import { ReschedulePostRequest } from '../../../shared/posts/intake/requests.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'
import { PostView, postTag } from '../../../shared/posts/reading/view.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/{id}/reschedule',
    summary: 'Reschedule a post',
    description:
      'Moves a scheduled post to another time, or tries a failed post again at a new time. Send the fields that change as well; the others keep their values. For a thread, reschedule its first post.',
    access: scope('posts:schedule'),
    params: idPath('The ID of the post.'),
    body: ReschedulePostRequest,
    status: 200,
    data: PostView,
    etag: postTag,
    errors: [...changeErrors, 'invalid_post_status', 'thread_partially_published', ...planErrors],
    needs: planNeeds,
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, body, prefetched }) =>
    changePost(ctx, workspace, findPost(prefetched, workspace.id, params.id), body, { always: true }),
)
