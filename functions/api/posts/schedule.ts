import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { acceptPosts, planErrors } from '../../../shared/posts/intake/accept.ts'
import { futureMoment } from '../../../shared/posts/intake/future-moment.ts'
import { planPosts, requestKeys } from '../../../shared/posts/intake/plan.ts'
import { SchedulePostRequest } from '../../../shared/posts/intake/requests.ts'
import { PostView } from '../../../shared/posts/reading/view.ts'
import { checkLive } from '../../../shared/social-accounts/check-live.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/schedule',
    summary: 'Schedule a post',
    description: 'Publishes to one or more connected accounts.',
    access: scope('posts:schedule'),
    body: SchedulePostRequest,
    status: 201,
    data: z.array(PostView),
    errors: [...planErrors],
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
    prefetch: requestKeys,
  },
  async ({ ctx, workspace, body, prefetched, idempotencyWrites }) => {
    const scheduledAt = futureMoment(body.scheduledAt, ctx.clock.now())
    const plan = await planPosts(
      { ctx, workspace, found: prefetched, momentMs: Date.parse(scheduledAt), checkLive },
      body,
    )
    const acceptance = { scheduledAt, natural: body.naturalPosting === true, announce: true }
    return acceptPosts(ctx, workspace, { plan, acceptance, idempotencyWrites })
  },
)
