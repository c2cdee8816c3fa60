import * as z from 'zod/mini'
import { scopeUnpaid } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { idPath } from '../../../shared/http/id.ts'
import { QuotaView, viewQuotas } from '../../../shared/quotas/view.ts'
import { personalUsage, usageKeys, workspaceUsage } from '../../../shared/usage/quotas-used.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/workspaces/{id}/quotas',
    summary: 'List quotas and their usage',
    description:
      'Each quota counts per workspace, per person, or per recipient of emails. A quota with `windowSeconds` refills over ' +
      'that time: a request above it returns 429 `quota_rate_exceeded` with `Retry-After`. Any other quota counts what ' +
      'exists: a request above it returns 409 `quota_exceeded`. `used` is null where it is not shown: quotas of a person ' +
      'need a session, and what recipients have received is never shown. ' +
      '`GET /api/posts/x-cap-usage` shows the monthly cap on X.',
    access: scopeUnpaid('workspace:read'),
    params: idPath('The ID of the workspace, the same as in `X-Workspace-Id`.'),
    status: 200,
    data: z.object({ quotas: described(z.array(QuotaView), 'Every quota, with its limit and what is used of it.') }),
    errors: [],
    needs: ['table:read'],
    prefetch: ({ workspaceId }) => usageKeys(workspaceId),
  },
  async ({ ctx, workspace, principal, prefetched }) => {
    const personal = principal.kind === 'session' ? await personalUsage(ctx, principal.session) : {}
    const used = { ...personal, ...(await workspaceUsage(ctx, workspace, prefetched)) }
    return { quotas: viewQuotas(ctx, workspace, used) }
  },
)
