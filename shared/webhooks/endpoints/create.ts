import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { absent } from '../../db/expression.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { IdempotencyWrites } from '../../http/idempotency-writes.ts'
import { random62 } from '../../ids.ts'
import { logSecurity } from '../../security-log.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { assertUrlAllowed } from './address.ts'
import { type Endpoint, endpoints } from './endpoint.ts'
import type { CreateWebhookRequest } from './requests.ts'
import { saveEndpoint } from './save.ts'
import { newSecret } from './secret.ts'
import { viewEndpoint } from './view.ts'

const maxEndpoints = 10

/** Creates an endpoint; only this response contains its secret. */
export const createEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  request: z.infer<typeof CreateWebhookRequest>,
  idempotencyWrites: IdempotencyWrites,
) => {
  assertUrlAllowed(ctx, request.url)
  const now = new Date(ctx.clock.now()).toISOString()
  const id = `whe_${random62(20)}`
  const { secret, sealed, hint } = await newSecret(ctx, workspace, id)
  const endpoint: Endpoint = {
    id,
    workspaceId: workspace.id,
    name: request.name,
    url: request.url,
    events: [...new Set(request.events)],
    enabled: request.enabled ?? true,
    disabledReason: null,
    disabledAt: request.enabled === false ? now : null,
    secrets: [{ sealed }],
    secretHint: hint,
    createdAt: now,
    updatedAt: now,
  }
  const { events, enabled } = endpoint
  const answer = { ...viewEndpoint(endpoint, undefined), secret }
  await saveEndpoint(ctx, workspace, id, (current) => {
    if (current.endpoints.length >= maxEndpoints) {
      throw new Refusal('invalid', `A workspace has at most ${maxEndpoints} webhook endpoints. Delete one first.`, {
        code: 'webhook_endpoint_limit',
      })
    }
    return {
      row: { put: endpoints.item(endpoint), when: absent('PK') },
      summaries: [...current.endpoints, { id, events, enabled }],
      rest: idempotencyWrites(answer, id),
    }
  })
  logSecurity(ctx, 'webhook_created', { endpointId: id })
  return answer
}
