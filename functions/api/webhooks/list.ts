import * as z from 'zod/mini'
import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { EndpointView } from '../../../shared/webhooks/endpoints/endpoint.ts'
import { listEndpoints } from '../../../shared/webhooks/endpoints/find.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List the webhook endpoints of the workspace',
    description: 'Lists all endpoints, with their health.',
    access: orApplication(workspaceAdmin),
    status: 200,
    data: z.array(EndpointView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace }) => listEndpoints(ctx, workspace),
)
