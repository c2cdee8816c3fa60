import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'
import { PostView, postTag, viewPost } from '../../../shared/posts/reading/view.ts'
import { readTexts } from '../../../shared/posts/texts.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts/{id}',
    summary: 'Get a post',
    description:
      'Returns one post with its present state: whether it is live, where, and why it failed. Poll it after scheduling, or receive the webhooks `post.published` and `post.publish_failed`.',
    access: scope('posts:read'),
    params: idPath('The ID of the post.'),
    status: 200,
    data: PostView,
    etag: postTag,
    errors: ['post_not_found'],
    needs: ['table:read'],
    prefetch: postKeys,
  },
  async ({ ctx, workspace, params, prefetched }) => {
    const post = findPost(prefetched, workspace.id, params.id)
    return viewPost(post, (await readTexts(ctx, [post]))(post))
  },
)
