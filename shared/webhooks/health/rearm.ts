import { sweepAt } from '../../db/sweep-at.ts'
import type { Write } from '../../db/table.ts'
import { type Health, type HealthKey, healths, newHealth } from './row.ts'
import { healthLifecycle } from './transitions.ts'

/** The health of an endpoint with a new receiver: its row is reset, and the drain sends waiting deliveries. */
export const rearmed = (endpoint: HealthKey, nowMs: number): Health => ({
  ...newHealth(endpoint, nowMs),
  state: healthLifecycle.to('rearm'),
  recovery: { sinceMs: nowMs, rampStartMs: nowMs },
})

export const rearmWrite = (health: Health): Write => ({
  put: { ...healths.item(health), ...sweepAt(health.id, health.dueAtMs) },
})
