import * as z from 'zod/mini'
import { scope } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { acceptPosts } from '../../../shared/posts/accept.ts'
import { futureMoment } from '../../../shared/posts/moment.ts'
import { PostView } from '../../../shared/posts/post.ts'
import { SchedulePostRequest } from '../../../shared/posts/requests.ts'
import { planPosts, requestKeys } from '../../../shared/posts/resolve.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/schedule',
    summary: 'Schedule a post to one or more connected accounts',
    access: scope('posts:schedule'),
    body: SchedulePostRequest,
    status: 201,
    data: z.array(PostView),
    refuses: ['invalid', 'missing', 'mismatched', 'limited'],
    needs: ['table:read', 'table:write', 'queue:prepare', 'queue:publish', 'queue:events', 'schedule'],
    reads: requestKeys,
  },
  async ({ ctx, workspace, body, found, once }) => {
    const scheduledAt = futureMoment(body.scheduledAt, ctx.clock.now())
    const plan = planPosts(workspace.id, ctx.env('MEDIA_URL'), body, found)
    return acceptPosts(
      ctx,
      workspace,
      plan,
      { scheduledAt, natural: body.naturalPosting === true, announce: true },
      once,
    )
  },
)
