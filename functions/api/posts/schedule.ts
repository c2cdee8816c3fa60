import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { acceptPosts, planErrors, planNeeds } from '../../../shared/posts/intake/accept.ts'
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
    description:
      'Stores one post for each account and publishes it at `scheduledAt`. Every account is checked first: if one post would be rejected, the request returns 400 with all issues and nothing is stored. Returns the posts with the status `scheduled`.',
    access: scope('posts:schedule'),
    body: SchedulePostRequest,
    status: 201,
    data: z.array(PostView),
    errors: [...planErrors],
    needs: planNeeds,
    prefetch: requestKeys,
  },
  async ({ ctx, workspace, body, prefetched }) => {
    const scheduledAt = futureMoment(body.scheduledAt, ctx.clock.now())
    const plan = await planPosts(
      { ctx, workspace, rows: prefetched, momentMs: Date.parse(scheduledAt), checkLive },
      body,
    )
    const { naturalPosting: natural = false, externalId } = body
    const acceptance = { scheduledAt, natural, announce: true, externalId }
    return acceptPosts(ctx, workspace, { plan, acceptance })
  },
)
