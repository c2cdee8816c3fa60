import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { threadNeeds } from '../../../shared/posts/intake/accept.ts'
import { acceptThread } from '../../../shared/posts/intake/accept-thread.ts'
import { futureMoment } from '../../../shared/posts/intake/future-moment.ts'
import { planThread, threadErrors, threadKeys } from '../../../shared/posts/intake/plan-thread.ts'
import { anyThreadPlatform } from '../../../shared/posts/intake/thread-platforms.ts'
import { ScheduleThreadRequest, Thread } from '../../../shared/posts/intake/thread-request.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/schedule-thread',
    summary: 'Schedule a thread',
    description: `A thread has 2 to 25 tweets, which are posts of one account on ${anyThreadPlatform}, each a reply to the previous one. All tweets are checked before any is accepted; an issue names its tweet. Cancel, reschedule, or delete the first post; the others follow.`,
    access: scope('posts:schedule'),
    body: ScheduleThreadRequest,
    status: 201,
    data: Thread,
    errors: [...threadErrors],
    needs: threadNeeds,
    prefetch: threadKeys,
  },
  async ({ ctx, workspace, body, prefetched }) => {
    const scheduledAt = futureMoment(body.scheduledAt, ctx.clock.now())
    const plan = await planThread({ ctx, workspace, rows: prefetched, momentMs: Date.parse(scheduledAt) }, body)
    const acceptance = { scheduledAt, announce: true, externalId: body.externalId }
    return acceptThread(ctx, workspace, { plan, acceptance })
  },
)
