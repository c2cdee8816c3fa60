import { expect, test } from 'vitest'
import { deliveryStatuses, pendingDelivery } from '../../../shared/webhooks/deliveries/lifecycle/row.ts'
import { stateOf } from '../../../shared/webhooks/deliveries/lifecycle/state.ts'
import { deliveryLifecycle, endings } from '../../../shared/webhooks/deliveries/lifecycle/transitions.ts'
import { drawDiagram, drawTable, statesOf } from '../../support/lifecycle-diagram.ts'

const { transitions } = deliveryLifecycle

const readme = `# The life of a webhook delivery

A delivery is one attempt to send one event to one endpoint. \`row.ts\` says what is stored, \`state.ts\` derives the state of
a row, \`transitions.ts\` says what leads from which state to which and what it clears, and \`writes.ts\` makes the write of
each transition. \`next-step.ts\` decides what follows from an attempt. A failed attempt and the row of the next one are
written in one transaction.

The first attempt of an event with one subscribed endpoint gets its row when it ends. Until then the event itself is in the
sweep index (\`../relay.ts\`).

The diagram and the table below are drawn from \`transitions.ts\`. After a change, draw them again:
\`vitest run test/webhooks/lifecycle --update=all\`.

${drawDiagram(transitions, ['pending', 'succeeded', 'failed', 'discarded'])}

${drawTable(transitions)}
`

test('the diagram in the README matches the transitions', async () => {
  await expect(readme).toMatchFileSnapshot('../../../shared/webhooks/deliveries/lifecycle/README.md')
})

test('every state can be reached from a new delivery, and every status of the API is a state', () => {
  const reached = new Set<string>(['pending'])
  for (const state of reached) {
    for (const { moves } of Object.values(transitions)) {
      for (const to of (moves as Readonly<Record<string, readonly string[]>>)[state] ?? []) reached.add(to)
    }
  }
  expect([...reached].sort()).toEqual(statesOf(transitions).sort())
  expect([...reached].sort()).toEqual([...deliveryStatuses, 'sending', 'deleted'].sort())
})

test('a final transition sets its status and clears everything that only a pending delivery has', () => {
  for (const [status, name] of Object.entries(endings)) {
    const { moves, clears } = transitions[name]
    expect(moves).toEqual({ sending: [status], pending: [status] })
    expect(clears).toEqual(
      expect.arrayContaining(['nextAttemptAt', 'leaseUntilMs', 'waitingKey', 'sweepAtMs', 'sweepShard']),
    )
  }
})

test('a row without the attributes of its state is an error, not a default', () => {
  const planned = {
    workspaceId: 'ws_1',
    endpointId: 'whe_1',
    outboxId: '0'.repeat(26),
    eventIndex: 0,
    eventId: 'evt_1',
    ...({ eventType: 'post.published', attempt: 1, step: 1, firstAtMs: 0, cause: 'event', ttl: 1 } as const),
  }
  const delivery = pendingDelivery(planned, 1000, 0)
  expect(stateOf(delivery, 0)).toEqual({ kind: 'pending', dueMs: 1000 })
  expect(stateOf({ ...delivery, leaseUntilMs: 5 }, 4)).toEqual({ kind: 'sending', untilMs: 5 })
  expect(stateOf({ ...delivery, leaseUntilMs: 5 }, 5)).toEqual({ kind: 'pending', dueMs: 1000 })
  const { nextAttemptAt: _, ...timeless } = delivery
  expect(() => stateOf(timeless, 0)).toThrow('is pending without nextAttemptAt')
  expect(() => stateOf({ ...delivery, status: 'failed' }, 0)).toThrow('is failed without outcome')
  expect(stateOf({ ...delivery, status: 'discarded' }, 0)).toEqual({ kind: 'discarded', outcome: undefined })
})
