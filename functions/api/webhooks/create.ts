import * as z from 'zod/mini'
import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { createEndpoint } from '../../../shared/webhooks/endpoints/create.ts'
import { EndpointView } from '../../../shared/webhooks/endpoints/endpoint.ts'
import { CreateWebhookRequest } from '../../../shared/webhooks/endpoints/requests.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Create a webhook endpoint; its secret is shown only once',
    access: workspaceAdmin,
    body: CreateWebhookRequest,
    status: 201,
    data: z.extend(EndpointView, { secret: z.string() }),
    errors: ['url_not_allowed', 'webhook_endpoint_limit', 'webhook_endpoint_not_found', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'origins'],
    secret: true,
  },
  ({ ctx, workspace, body, idempotencyWrites }) => createEndpoint(ctx, workspace, body, idempotencyWrites),
)
