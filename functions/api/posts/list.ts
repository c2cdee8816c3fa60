import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Id } from '../../../shared/http/id.ts'
import { cursorLike, pageOf, pageQuery } from '../../../shared/http/page.ts'
import { postStatuses } from '../../../shared/posts/lifecycle/row.ts'
import { listPosts } from '../../../shared/posts/reading/list.ts'
import { PostView } from '../../../shared/posts/reading/view.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts',
    summary: 'List posts',
    description:
      'Lists filtered by status or account, and pages after the first 200 posts, are eventually consistent: a change can appear a moment later. A page by `cursor` costs the same at any depth; a page by `offset` costs more the deeper it is.',
    access: scope('posts:read'),
    query: z.strictObject({
      status: z.optional(z.enum(postStatuses)),
      socialAccountId: z.optional(Id),
      groupId: z.optional(Id),
      cursor: cursorLike(/^[0-9A-Z]{28}$/),
      ...pageQuery,
    }),
    status: 200,
    data: pageOf(PostView),
    errors: [],
    needs: ['table:read', 'query:account', 'query:status'],
  },
  ({ ctx, workspace, query }) => listPosts(ctx, workspace.id, query),
)
