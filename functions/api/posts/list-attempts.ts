import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { PostAttempts, viewAttempts } from '../../../shared/posts/reading/attempts.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts/{id}/attempts',
    summary: 'List the attempts of a post',
    description:
      'Use it to see why a post failed, is late, or has an unknown outcome: each attempt with its time, its outcome, and the message of the platform.',
    access: scope('posts:read'),
    params: idPath('The ID of the post.'),
    status: 200,
    data: PostAttempts,
    errors: ['post_not_found'],
    needs: ['table:read'],
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, prefetched }) =>
    viewAttempts(findPost(prefetched, workspace.id, params.id), ctx.clock.now()),
)
