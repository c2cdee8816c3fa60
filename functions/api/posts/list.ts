import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { countKeysOf, countsIn } from '../../../shared/db/counters.ts'
import { described } from '../../../shared/http/described.ts'
import { pageOf } from '../../../shared/http/page.ts'
import { listPosts } from '../../../shared/posts/reading/list.ts'
import { isCounted, ListPostsQuery } from '../../../shared/posts/reading/list-query.ts'
import { PostView } from '../../../shared/posts/reading/view.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts',
    summary: 'List posts',
    description:
      'Lists filtered by status or account, and pages after the first 200 posts, are eventually consistent: a change can appear a moment later. A page by `cursor` costs the same at any depth; a page by `offset` costs more the deeper it is. The filters `platform`, `externalId`, `from`, `to`, and `q` are combined with cursors only. A request reads at most 1,000 posts (with `q` also at most 4,000,000 characters): where few of them match, a page has fewer items than `limit`, or none, and continues with `nextCursor` while `hasMore` is true. `externalId`, `socialAccountId`, `accountExternalId`, `groupId`, the statuses `failed` and `cancelled`, and `from` and `to` with `sort=scheduledAt` are looked up directly; for another status the posts are read until enough have it.',
    access: scope('posts:read'),
    query: ListPostsQuery,
    status: 200,
    data: z.extend(pageOf(PostView), {
      total: described(
        z.int(),
        'The number of posts on all pages, with the filters of the request. If `totalIsExact` is false, those known so far.',
      ),
      totalIsExact: described(
        z.boolean(),
        'Whether `total` is exact. It is with `status`, `socialAccountId`, `accountExternalId`, and `groupId`, and if the first page has all posts.',
      ),
    }),
    errors: [],
    needs: ['table:read', 'query:account', 'query:status', 'query:waiting', 'query:time'],
    prefetch: ({ workspaceId, query }) => (isCounted(query) ? countKeysOf(workspaceId, 'POST') : []),
  },
  ({ ctx, workspace, query, prefetched }) =>
    listPosts(ctx, workspace.id, query, countsIn(prefetched, workspace.id, 'POST')),
)
