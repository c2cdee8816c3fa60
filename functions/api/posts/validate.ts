import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { timeIssues } from '../../../shared/posts/intake/future-moment.ts'
import { planPosts, requestKeys } from '../../../shared/posts/intake/plan.ts'
import { ValidatePostRequest } from '../../../shared/posts/intake/requests.ts'
import { ValidatePostResult } from '../../../shared/posts/intake/validate.ts'
import { toValidationResult } from '../../../shared/posts/intake/validation-result.ts'
import { checkLive } from '../../../shared/social-accounts/check-live.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/posts/validate',
    summary: 'Validate a post',
    description:
      'Runs every check of schedule and publish-now on the same body, and writes nothing. Use it while people type. `valid: true` means that the same body is accepted. A file at a public address is not fetched: its type, size, and dimensions are checked after the post is accepted.',
    access: scope('posts:schedule'),
    body: ValidatePostRequest,
    status: 200,
    data: ValidatePostResult,
    errors: [],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets', 'origins'],
    prefetch: requestKeys,
  },
  async ({ ctx, workspace, body, prefetched }) => {
    const nowMs = ctx.clock.now()
    const { scheduledAt } = body
    const momentMs = scheduledAt === undefined ? nowMs : Date.parse(scheduledAt)
    const plan = await planPosts({ ctx, workspace, rows: prefetched, momentMs, checkLive }, body)
    const ofTime = scheduledAt === undefined ? [] : timeIssues(scheduledAt, nowMs)
    return toValidationResult({ ...plan, issues: [...ofTime, ...plan.issues] })
  },
)
