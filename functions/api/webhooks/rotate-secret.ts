import * as z from 'zod/mini'
import { workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { IdPath } from '../../../shared/http/id.ts'
import { endpointKeys, findEndpoint } from '../../../shared/webhooks/endpoints/find.ts'
import { RotateSecretRequest } from '../../../shared/webhooks/endpoints/requests.ts'
import { rotateSecret } from '../../../shared/webhooks/endpoints/rotate-secret.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/webhooks/{id}/rotate-secret',
    summary: 'Rotate the signing secret; the old one signs for another day',
    access: workspaceAdmin,
    params: IdPath,
    body: RotateSecretRequest,
    bodyOptional: true,
    status: 200,
    data: z.object({ id: z.string(), secret: z.string() }),
    errors: ['webhook_endpoint_not_found', 'webhook_secret_limit', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'kms:decrypt'],
    prefetch: endpointKeys,
    secret: true,
  },
  ({ ctx, workspace, params, body, prefetched }) =>
    rotateSecret(ctx, workspace, findEndpoint(prefetched, workspace.id, params.id), body?.expireOldInSeconds),
)
