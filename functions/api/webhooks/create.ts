import * as z from 'zod/mini'
import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
import { createEndpoint } from '../../../shared/webhooks/endpoints/create.ts'
import { EndpointView } from '../../../shared/webhooks/endpoints/endpoint.ts'
import { CreateWebhookRequest } from '../../../shared/webhooks/endpoints/requests.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'Registers a URL of yours that receives events. The response contains the secret that signs every delivery; it is shown only here. A workspace has at most ten endpoints.',
    access: orApplication(workspaceAdmin),
    body: CreateWebhookRequest,
    status: 201,
    data: z.extend(EndpointView, {
      secret: described(
        z.string(),
        'The secret that signs deliveries, `whsec_…`. It is shown only here: store it now.',
      ),
    }),
    errors: [
      'url_not_allowed',
      'webhook_endpoint_limit',
      'plan_limit_reached',
      'webhook_endpoint_not_found',
      'concurrent_update',
    ],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'origins'],
    secret: true,
  },
  (call) => createEndpoint(call.ctx, call.workspace, call.body, actorOf(call)),
)
