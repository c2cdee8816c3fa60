import type { Context } from '../../context.ts'
import { absent, allOf, equal } from '../../db/expression.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import { logSecurity } from '../../security-log.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { enqueueDrain } from '../health/enqueue-drain.ts'
import { healths, newHealth } from '../health/row.ts'
import { type Endpoint, endpoints } from './endpoint.ts'
import { saveEndpoint } from './save.ts'

/**
 * Switches an endpoint off by itself, in the transaction that logs why; its owner is told and what waits is dropped by the
 * steps that follow.
 */
export const disableEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: Endpoint,
  disabledReason: string,
  log: readonly Write[] = [],
): Promise<void> => {
  const now = ctx.clock.now()
  const at = new Date(now).toISOString()
  const closing = { ...newHealth(endpoint, now), state: 'closing' as const }
  await saveEndpoint(ctx, workspace, endpoint.id, (current) => ({
    row: {
      update: endpoints.key(endpoint),
      change: { set: { enabled: false, disabledReason, disabledAt: at, updatedAt: at } },
      // With another address it has another receiver, which said nothing.
      when: allOf(absent('deletedAt'), equal('url', endpoint.url)),
    },
    summaries: current.endpoints.map((one) => (one.id === endpoint.id ? { ...one, enabled: false } : one)),
    rest: [...log, { put: { ...healths.item(closing), ...sweepAt(endpoint.id, now) } }],
  }))
  logSecurity(ctx, 'webhook_disabled', { workspaceId: workspace.id, endpointId: endpoint.id })
  await enqueueDrain(ctx, endpoint)
}
