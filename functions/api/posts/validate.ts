import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { givenMoment, planPosts, requestKeys } from '../../../shared/posts/intake/plan.ts'
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
    // Decided: `scheduledAt` is accepted and ignored, except for the warning about a repeated text.
    prefetch: ({ body, ...known }) => requestKeys({ ...known, body: { ...body, scheduledAt: undefined } }),
  },
  async ({ ctx, workspace, body, prefetched }) => {
    const momentMs = ctx.clock.now()
    const dueMs = givenMoment(body.scheduledAt) ?? momentMs
    return toValidationResult(await planPosts({ ctx, workspace, rows: prefetched, momentMs, dueMs, checkLive }, body))
  },
)
