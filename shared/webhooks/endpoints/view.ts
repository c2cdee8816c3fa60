import type * as z from 'zod/mini'
import type { Health } from '../health/row.ts'
import type { EndpointView, WebhookEndpoint } from './endpoint.ts'

const statusOf = ({ enabled }: WebhookEndpoint, health: Health | undefined) => {
  if (!enabled) return 'disabled'
  // An endpoint that was enabled again is `disabled` in its health until the next drain.
  return health === undefined || health.state === 'disabled' ? 'active' : health.state
}

const timeOf = (atMs: number | undefined) => (atMs === undefined ? null : new Date(atMs).toISOString())

/** An endpoint and its health as the API shows them. */
export const viewEndpoint = (endpoint: WebhookEndpoint, health: Health | undefined): z.infer<typeof EndpointView> => {
  const status = statusOf(endpoint, health)
  return {
    ...endpoint,
    includeChildWorkspaces: endpoint.includeChildWorkspaces ?? false,
    disabledAt: endpoint.disabledAt ?? null,
    status,
    failingSince: timeOf(health?.failingSinceMs),
    nextProbeAt: status === 'failing' ? timeOf(health?.dueAtMs) : null,
  }
}
