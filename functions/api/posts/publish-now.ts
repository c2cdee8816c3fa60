import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { acceptPosts, planErrors } from '../../../shared/posts/intake/accept.ts'
import { planPosts, requestKeys } from '../../../shared/posts/intake/plan.ts'
import { PublishPostRequest } from '../../../shared/posts/intake/requests.ts'
import { PostView } from '../../../shared/posts/reading/view.ts'
import { checkLive } from '../../../shared/social-accounts/check-live.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/publish-now',
    summary: 'Publish a post now',
    description:
      'Publishes to one or more connected accounts now. The response does not wait for the platforms: it returns posts with the status `scheduled`. Poll `GET /api/posts/{id}`, or receive the webhooks.',
    access: scope('posts:publish'),
    body: PublishPostRequest,
    status: 201,
    data: z.array(PostView),
    errors: [...planErrors],
    needs: [
      'table:read',
      'table:write',
      'queue:prepare',
      'queue:publish',
      'queue:import',
      'origins',
      'kms:decrypt',
      'platform-secrets',
    ],
    prefetch: requestKeys,
  },
  async ({ ctx, workspace, body, prefetched }) => {
    const scheduledAt = new Date(ctx.clock.now()).toISOString()
    const plan = await planPosts(
      { ctx, workspace, rows: prefetched, momentMs: Date.parse(scheduledAt), checkLive },
      body,
    )
    const { naturalPosting: natural = false, externalId } = body
    const acceptance = { scheduledAt, natural, announce: false, externalId }
    return acceptPosts(ctx, workspace, { plan, acceptance })
  },
)
