import type { Actor } from '../../audit/actor.ts'
import type { Context } from '../../context.ts'
import { absent } from '../../db/expression.ts'
import { logSecurity } from '../../security-log.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { auditedEndpoint } from './audited.ts'
import { endpoints, type WebhookEndpoint } from './endpoint.ts'
import { saveEndpoint } from './save.ts'

/** Soft delete: deliveries stop, and the log stays readable until it expires. */
export const removeEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: WebhookEndpoint,
  by: Actor,
): Promise<void> => {
  const deletedAt = new Date(ctx.clock.now()).toISOString()
  await saveEndpoint(ctx, workspace, endpoint.id, (current) => ({
    row: { update: endpoints.key(endpoint), change: { set: { deletedAt, enabled: false } }, when: absent('deletedAt') },
    summaries: current.endpoints.filter(({ id }) => id !== endpoint.id),
    audit: {
      by,
      action: 'webhook_endpoint.deleted',
      target: { type: 'webhook_endpoint', id: endpoint.id },
      before: auditedEndpoint(endpoint),
    },
  }))
  logSecurity(ctx, 'webhook_deleted', { endpointId: endpoint.id })
}
