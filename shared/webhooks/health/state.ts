import { absent, allOf, anyOf, atLeast, type Condition } from '../../db/expression.ts'
import { failuresUntilFailing } from './policy.ts'
import type { Health } from './row.ts'
import { healthLifecycle } from './transitions.ts'

/** The state of an endpoint's health, with what the drain needs. */
export type HealthState =
  /** Deliveries are sent immediately. */
  | { kind: 'active'; recheckCount: number }
  /** Responses are slow: the drain sends a few at a time, so that they block no other endpoint. */
  | { kind: 'slow' }
  /** Deliveries are parked; the drain sends the oldest one as a probe. */
  | { kind: 'failing'; sinceMs: number; probeCount: number; lastNoticeHours: number }
  /** The drain sends the parked deliveries at a growing rate. */
  | { kind: 'recovering'; sinceMs: number; rampStartMs: number }
  /** Nothing is sent; the drain discards waiting deliveries. */
  | { kind: 'disabled'; drained: boolean }

const stored = <T>(value: T | undefined, { id, state }: Health, name: string): T => {
  if (value === undefined) throw new Error(`the health of ${id} is ${state} without ${name}`)
  return value
}

/** The state of a stored row. */
export const stateOf = (health: Health): HealthState => {
  switch (health.state) {
    case 'active':
      return { kind: 'active', recheckCount: health.recheckCount ?? 0 }
    case 'slow':
      return { kind: 'slow' }
    case 'failing':
      return {
        kind: 'failing',
        sinceMs: stored(health.failingSinceMs, health, 'failingSinceMs'),
        probeCount: stored(health.probeCount, health, 'probeCount'),
        lastNoticeHours: health.lastNoticeHours ?? 0,
      }
    case 'recovering':
      return { kind: 'recovering', ...stored(health.recovery, health, 'recovery') }
    case 'disabled':
      return { kind: 'disabled', drained: health.drained === true }
  }
}

// The states of `state.ts` as conditions of DynamoDB.

/** Enough attempts in a row have failed: a success in between resets the count. */
export const mayFail: Condition = allOf(healthLifecycle.when('fail'), atLeast('failures', failuresUntilFailing))

/** The endpoint has no row yet, or responds in time. */
export const mayMarkSlow: Condition = anyOf(absent('PK'), healthLifecycle.when('markSlow'))
