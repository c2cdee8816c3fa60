import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'
import { PostView, viewPost } from '../../../shared/posts/reading/view.ts'
import { readTexts } from '../../../shared/posts/texts.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts/{id}',
    summary: 'Get a post',
    access: scope('posts:read'),
    params: IdPath,
    status: 200,
    data: PostView,
    errors: ['post_not_found'],
    needs: ['table:read'],
    prefetch: postKeys,
  },
  async ({ ctx, workspace, params, prefetched }) => {
    const post = findPost(prefetched, workspace.id, params.id)
    return viewPost(post, (await readTexts(ctx, [post]))(post))
  },
)
