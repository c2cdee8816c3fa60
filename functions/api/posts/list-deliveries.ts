import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'
import { listPostDeliveries, PostDeliveries } from '../../../shared/webhooks/deliveries/of-post.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts/{id}/deliveries',
    summary: 'List the webhook deliveries of a post',
    description:
      'Use it to see which webhook endpoints know of a post: its newest ten events, oldest first, each with the attempts to deliver it. An event is listed until it expires.',
    access: orApplication(workspaceAdmin),
    params: idPath('The ID of the post.'),
    status: 200,
    data: PostDeliveries,
    errors: ['post_not_found'],
    needs: ['table:read'],
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, prefetched }) =>
    listPostDeliveries(ctx, workspace, findPost(prefetched, workspace.id, params.id)),
)
