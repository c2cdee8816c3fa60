import { sweepAt } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import { type HealthKey, healths, newHealth } from './row.ts'
import { healthLifecycle } from './transitions.ts'

/** The write that disables an endpoint: its row is reset, and the drain discards waiting deliveries. */
export const disableHealth = (endpoint: HealthKey, nowMs: number): Write => ({
  put: {
    ...healths.item({ ...newHealth(endpoint, nowMs), state: healthLifecycle.to('disable') }),
    ...sweepAt(endpoint.id, nowMs),
  },
})
