import { systemActor } from '../../audit/actor.ts'
import type { Context } from '../../context.ts'
import { absent, allOf, equal } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { logSecurity } from '../../security-log.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { drainWork } from '../health/work.ts'
import { disableWrite } from '../health/writes.ts'
import { endpoints, type WebhookEndpoint } from './endpoint.ts'
import { saveEndpoint } from './save.ts'

/**
 * Disables an endpoint in the transaction that logs the reason. The drain notifies its owner and discards waiting
 * deliveries.
 */
export const disableEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: WebhookEndpoint,
  disabledReason: string,
  log: readonly Write[] = [],
): Promise<void> => {
  const now = ctx.clock.now()
  const at = new Date(now).toISOString()
  await saveEndpoint(ctx, workspace, endpoint.id, (current) => ({
    row: {
      update: endpoints.key(endpoint),
      change: { set: { enabled: false, disabledReason, disabledAt: at, updatedAt: at } },
      // With another URL, it has another receiver.
      when: allOf(absent('deletedAt'), equal('url', endpoint.url)),
    },
    summaries: current.endpoints.map((entry) => (entry.id === endpoint.id ? { ...entry, enabled: false } : entry)),
    writes: [...log, disableWrite(endpoint, now)],
    audit: {
      by: systemActor('webhooks'),
      action: 'webhook_endpoint.disabled',
      target: { type: 'webhook_endpoint', id: endpoint.id },
      before: { enabled: true, disabledReason: null },
      after: { enabled: false, disabledReason },
    },
  }))
  logSecurity(ctx, 'webhook_disabled', { workspaceId: workspace.id, endpointId: endpoint.id })
  await drainWork.enqueue(ctx, endpoint)
}
