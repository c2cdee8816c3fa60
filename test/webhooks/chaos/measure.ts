import type { Told } from './tell.ts'
import type { Tenant, TenantEndpoint } from './tenants.ts'

/** The events that an endpoint should get. */
export const wantedBy = ({ events }: TenantEndpoint, { workspace }: Tenant, told: readonly Told[]): Told[] =>
  told.filter(({ event }) => event.workspace.id === workspace.id && events.includes(event.type))

/** The time from the commit of each event to its arrival at each healthy receiver, sorted; infinite where it is missing. */
export const latenciesMs = (tenants: readonly Tenant[], told: readonly Told[]): number[] =>
  tenants
    .flatMap((tenant) =>
      tenant.healthy.flatMap((one) =>
        wantedBy(one, tenant, told).map(({ event, committedAtMs }) => {
          const arrival = one.page?.arrivals.get(event.id)
          return (arrival?.atMs ?? Number.POSITIVE_INFINITY) - committedAtMs
        }),
      ),
    )
    .sort((a, b) => a - b)

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

export const inWords = (sorted: readonly number[]): string => {
  const parts = [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${percentile(sorted, share).toFixed(0)} ms`)
  return `${sorted.length} deliveries, commit to first byte ${parts.join(', ')}`
}
