import type * as z from 'zod/mini'
import type { Actor } from '../../audit/actor.ts'
import type { Context } from '../../context.ts'
import { absent } from '../../db/expression.ts'
import { Refusal } from '../../errors/refusal.ts'
import { random62 } from '../../ids.ts'
import { planOf } from '../../plans/plans.ts'
import { logSecurity } from '../../security-log.ts'
import { overPlan } from '../../workspaces/subscription.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { assertUrlAllowed } from './address.ts'
import { auditedEndpoint } from './audited.ts'
import { endpoints, type WebhookEndpoint } from './endpoint.ts'
import type { CreateWebhookRequest } from './requests.ts'
import { saveEndpoint } from './save.ts'
import { newSecret } from './secret.ts'
import { viewEndpoint } from './view.ts'

const maxEndpoints = 10

/** Throws 400 at the limit of every workspace, and 402 at a smaller one of the plan. */
const assertRoom = (ctx: Context, workspace: Workspace): void => {
  const used = workspace.endpoints.length
  if (used >= maxEndpoints) {
    throw new Refusal('invalid', `A workspace has at most ${maxEndpoints} webhook endpoints. Delete one first.`, {
      code: 'webhook_endpoint_limit',
    })
  }
  const limit = planOf(workspace.subscription.planId)?.webhookEndpoints
  if (limit !== undefined && used >= limit) throw overPlan(ctx, workspace, 'webhookEndpoints', { limit, used })
}

/** Creates an endpoint; only this response contains its secret. */
export const createEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  request: z.infer<typeof CreateWebhookRequest>,
  by: Actor,
) => {
  assertUrlAllowed(ctx, request.url)
  const now = new Date(ctx.clock.now()).toISOString()
  const id = `whe_${random62(20)}`
  const { secret, sealed, hint } = await newSecret(ctx, workspace, id)
  const endpoint: WebhookEndpoint = {
    id,
    workspaceId: workspace.id,
    name: request.name,
    url: request.url,
    events: [...new Set(request.events)],
    enabled: request.enabled ?? true,
    ...(request.includeChildWorkspaces ? { includeChildWorkspaces: true } : {}),
    disabledReason: null,
    disabledAt: request.enabled === false ? now : null,
    secrets: [{ sealed }],
    secretHint: hint,
    createdAt: now,
    updatedAt: now,
  }
  const { events, enabled, includeChildWorkspaces } = endpoint
  const answer = { ...viewEndpoint(endpoint, undefined), secret }
  await saveEndpoint(ctx, workspace, id, (current) => {
    assertRoom(ctx, current)
    return {
      row: { put: endpoints.item(endpoint), when: absent('PK') },
      summaries: [
        ...current.endpoints,
        { id, events, enabled, ...(includeChildWorkspaces ? { includeChildWorkspaces } : {}) },
      ],
      audit: {
        by,
        action: 'webhook_endpoint.created',
        target: { type: 'webhook_endpoint', id },
        after: auditedEndpoint(endpoint),
      },
      response: { data: answer, id },
    }
  })
  logSecurity(ctx, 'webhook_created', { endpointId: id })
  return answer
}
