import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { readStatistics, WebhookStatistics } from '../../../shared/webhooks/deliveries/statistics.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/statistics',
    summary: 'Measure the deliveries of each webhook endpoint',
    description:
      'Returns for each endpoint how its last 500 attempts ended, how long they took, and how long after its event a delivery arrived. Tests are not counted. The numbers are calculated from the log of deliveries, at most once a minute.',
    access: orApplication(workspaceAdmin),
    status: 200,
    data: WebhookStatistics,
    errors: [],
    needs: ['table:read', 'table:write'],
  },
  ({ ctx, workspace }) => readStatistics(ctx, workspace),
)
