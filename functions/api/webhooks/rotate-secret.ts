import * as z from 'zod/mini'
import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
import { idPath } from '../../../shared/http/id.ts'
import { endpointKeys, findEndpoint } from '../../../shared/webhooks/endpoints/find.ts'
import { RotateSecretRequest } from '../../../shared/webhooks/endpoints/requests.ts'
import { rotateSecret } from '../../../shared/webhooks/endpoints/rotate-secret.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/webhooks/{id}/rotate-secret',
    summary: 'Rotate the signing secret',
    description:
      'Creates a new secret, which signs from now on. The old secret signs too for a day, or for `expireOldInSeconds`, so that receivers can change over.',
    access: orApplication(workspaceAdmin),
    params: idPath('The ID of the endpoint, `whe_…`.'),
    body: RotateSecretRequest,
    bodyOptional: true,
    status: 200,
    data: z.object({
      id: described(z.string(), 'The ID of the endpoint, `whe_…`.'),
      secret: described(z.string(), 'The new secret, `whsec_…`. It is shown only here: store it now.'),
    }),
    errors: ['webhook_endpoint_not_found', 'webhook_secret_limit', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'kms:decrypt'],
    prefetch: endpointKeys,
    secret: true,
  },
  (call) => {
    const { ctx, workspace, params, body, prefetched } = call
    const hook = findEndpoint(prefetched, workspace.id, params.id)
    return rotateSecret(ctx, workspace, hook, actorOf(call), body?.expireOldInSeconds)
  },
)
