import type * as z from 'zod/mini'
import type { Health } from '../health/row.ts'
import type { Endpoint, EndpointView } from './endpoint.ts'

const statusOf = ({ enabled }: Endpoint, health: Health | undefined) => {
  if (!enabled) return 'disabled'
  if (health === undefined || health.state === 'watched' || health.state === 'closing') return 'active'
  return health.state
}

const timeOf = (atMs: number | undefined) => (atMs === undefined ? null : new Date(atMs).toISOString())

/** An endpoint and how it fares, as the API shows them. */
export const viewEndpoint = (endpoint: Endpoint, health: Health | undefined): z.infer<typeof EndpointView> => {
  const status = statusOf(endpoint, health)
  return {
    ...endpoint,
    disabledAt: endpoint.disabledAt ?? null,
    status,
    failingSince: timeOf(health?.failingSinceMs),
    nextProbeAt: status === 'failing' ? timeOf(health?.dueAtMs) : null,
  }
}
