import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { acceptThread } from '../../../shared/posts/intake/accept-thread.ts'
import { planThread, threadErrors, threadKeys } from '../../../shared/posts/intake/plan-thread.ts'
import { anyThreadPlatform } from '../../../shared/posts/intake/thread-platforms.ts'
import { PublishThreadRequest, Thread } from '../../../shared/posts/intake/thread-request.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/publish-thread-now',
    summary: 'Publish a thread now',
    description: `A thread has 2 to 25 tweets, which are posts of one account on ${anyThreadPlatform}, each a reply to the previous one. Returns posts with the status \`scheduled\`: poll \`GET /api/posts/{id}\` or receive the webhooks.`,
    access: scope('posts:publish'),
    body: PublishThreadRequest,
    status: 201,
    data: Thread,
    errors: [...threadErrors],
    needs: ['table:read', 'table:write', 'queue:publish', 'queue:import', 'origins', 'platforms'],
    prefetch: threadKeys,
  },
  async ({ ctx, workspace, body, prefetched }) => {
    const scheduledAt = new Date(ctx.clock.now()).toISOString()
    const plan = await planThread({ ctx, workspace, rows: prefetched, momentMs: Date.parse(scheduledAt) }, body)
    const acceptance = { scheduledAt, announce: false, externalId: body.externalId }
    return acceptThread(ctx, workspace, { plan, acceptance })
  },
)
