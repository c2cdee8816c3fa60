import type { EmittedEvent } from './tell.ts'
import type { Tenant, TenantEndpoint } from './tenants.ts'

/** The events that an endpoint should get. */
export const eventsFor = (
  { events }: TenantEndpoint,
  { workspace }: Tenant,
  emitted: readonly EmittedEvent[],
): EmittedEvent[] => emitted.filter(({ event }) => event.workspace.id === workspace.id && events.includes(event.type))

/** The time from the commit of each event to its arrival at each healthy receiver, sorted; infinite where it is missing. */
export const latenciesMs = (tenants: readonly Tenant[], emitted: readonly EmittedEvent[]): number[] =>
  tenants
    .flatMap((tenant) =>
      tenant.healthy.flatMap((endpoint) =>
        eventsFor(endpoint, tenant, emitted).map(({ event, committedAtMs }) => {
          const arrival = endpoint.page?.arrivals.get(event.id)
          return (arrival?.atMs ?? Number.POSITIVE_INFINITY) - committedAtMs
        }),
      ),
    )
    .sort((a, b) => a - b)

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

export const summarize = (sorted: readonly number[]): string => {
  const parts = [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${percentile(sorted, share).toFixed(0)} ms`)
  return `${sorted.length} deliveries, commit to first byte ${parts.join(', ')}`
}
