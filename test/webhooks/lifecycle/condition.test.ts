import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition } from '../../../shared/db/expression.ts'
import { type Delivery, deliveries, deliveryStatuses } from '../../../shared/webhooks/deliveries/lifecycle/row.ts'
import { isPending, notEnded, stateOf as stateOfDelivery } from '../../../shared/webhooks/deliveries/lifecycle/state.ts'
import { failuresUntilFailing } from '../../../shared/webhooks/health/policy.ts'
import { type Health, healthStates, healths, newHealth } from '../../../shared/webhooks/health/row.ts'
import { mayFail, mayMarkSlow } from '../../../shared/webhooks/health/state.ts'
import { type HealthTransition, healthLifecycle } from '../../../shared/webhooks/health/transitions.ts'
import { accepts } from '../../support/accepts.ts'

const nowMs = 1_000_000
const around = fc.constantFrom(nowMs - 1, nowMs, nowMs + 1)

const health: fc.Arbitrary<Health> = fc
  .record({
    state: fc.constantFrom(...healthStates),
    failures: fc.integer({ min: failuresUntilFailing - 1, max: failuresUntilFailing + 1 }),
  })
  .map((healthState) => ({ ...newHealth({ workspaceId: 'ws_1', id: 'whe_1' }, nowMs), ...healthState }))

const leads = (name: HealthTransition, { state }: Health): boolean => healthLifecycle.mayFollow(name, state)

interface HealthCase {
  when: Condition
  /** What has to be stored when they write; undefined if there is no row. */
  expected: (stored: Health | undefined) => boolean
}

const isThere = (stored: Health | undefined, rule: (stored: Health) => boolean) => stored !== undefined && rule(stored)

const healthCases: Readonly<Record<string, HealthCase>> = {
  failing: {
    when: mayFail,
    expected: (stored) => isThere(stored, (row) => leads('fail', row) && row.failures >= failuresUntilFailing),
  },
  slow: {
    when: mayMarkSlow,
    expected: (stored) => stored === undefined || leads('markSlow', stored),
  },
}

const answersOf = () => ({ true: 0, false: 0 })

test.each(Object.entries(healthCases))('the table and the state agree on which endpoint can be %s', (_name, {
  when,
  expected,
}) => {
  const answers = answersOf()
  fc.assert(
    fc.property(fc.option(health, { nil: undefined, freq: 5 }), (stored) => {
      const answer = accepts(stored && healths.item(stored), when)
      answers[`${answer}`] += 1
      expect(answer).toBe(expected(stored))
    }),
    { numRuns: 2_000, seed: 20_301_122 },
  )
  expect(Math.min(answers.true, answers.false)).toBeGreaterThan(20)
})

test.each(
  Object.keys(healthLifecycle.transitions) as HealthTransition[],
)('the table accepts "%s" in the states that lead there', (name) => {
  for (const state of healthStates) {
    const row = { ...newHealth({ workspaceId: 'ws_1', id: 'whe_1' }, nowMs), state }
    expect(accepts(healths.item(row), healthLifecycle.when(name)), state).toBe(healthLifecycle.mayFollow(name, state))
  }
  expect(accepts(undefined, healthLifecycle.when(name))).toBe(false)
})

const delivery: fc.Arbitrary<Delivery> = fc
  .record({ status: fc.constantFrom(...deliveryStatuses), leaseUntilMs: fc.option(around, { nil: undefined }) })
  .map(
    ({ status, leaseUntilMs }): Delivery => ({
      id: 'dlv_1',
      workspaceId: 'ws_1',
      endpointId: 'whe_1',
      outboxId: 'o1',
      eventIndex: 0,
      eventId: 'evt_1',
      eventType: 'post.published',
      attempt: 1,
      step: 1,
      firstAtMs: nowMs,
      cause: 'event',
      ttl: 1,
      createdAt: new Date(nowMs).toISOString(),
      nextAttemptAt: new Date(nowMs).toISOString(),
      status,
      ...(leaseUntilMs === undefined ? {} : { leaseUntilMs }),
      outcome: {
        requestedAt: new Date(nowMs).toISOString(),
        durationMs: 1,
        httpStatus: 200,
        errorCode: null,
        responseSnippet: null,
      },
    }),
  )

test('the table and the state agree on which delivery can be sent and which can be ended', () => {
  const answers = answersOf()
  fc.assert(
    fc.property(delivery, (stored) => {
      const { kind } = stateOfDelivery(stored, nowMs)
      const item = deliveries.item(stored)
      const answer = accepts(item, isPending(nowMs))
      answers[`${answer}`] += 1
      expect(answer).toBe(kind === 'pending')
      expect(accepts(item, notEnded)).toBe(kind === 'pending' || kind === 'sending')
    }),
    { numRuns: 500, seed: 20_301_122 },
  )
  expect(Math.min(answers.true, answers.false)).toBeGreaterThan(20)
})
