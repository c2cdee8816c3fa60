import { expect, test } from 'vitest'
import { newHealth } from '../../../shared/webhooks/health/row.ts'
import { stateOf } from '../../../shared/webhooks/health/state.ts'
import { healthLifecycle } from '../../../shared/webhooks/health/transitions.ts'
import { drawDiagram, drawTable, statesOf } from '../../support/lifecycle-diagram.ts'

const { transitions } = healthLifecycle

const readme = `# The health of a webhook endpoint

\`row.ts\` says what is stored, \`state.ts\` derives the state of a row, \`transitions.ts\` says what leads from which state to
which and what it clears, and \`writes.ts\` makes the write of each transition. \`policy.ts\` holds the thresholds and waits;
the steps of the drain are in \`../draining/\`. An endpoint without a row is \`active\`. A lease is no state: the drain holds it during a step in any state.

The diagram and the table below are drawn from \`transitions.ts\`. After a change, draw them again:
\`vitest run test/webhooks/lifecycle --update=all\`.

${drawDiagram(transitions, ['active', 'slow'])}

${drawTable(transitions)}
`

test('the diagram in the README matches the transitions', async () => {
  await expect(readme).toMatchFileSnapshot('../../../shared/webhooks/health/README.md')
})

test('every state can be reached and left', () => {
  const reached = new Set<string>(['active'])
  for (const state of reached) {
    for (const { moves } of Object.values(transitions)) {
      for (const to of (moves as Readonly<Record<string, readonly string[]>>)[state] ?? []) reached.add(to)
    }
  }
  expect([...reached].sort()).toEqual(statesOf(transitions).sort())
})

test('a transition sets its state, and clears what its table says, except what it sets', () => {
  expect(healthLifecycle.change('startRecovery', { set: { failures: 0 } })).toEqual({
    set: { failures: 0, state: 'recovering' },
    remove: ['probeCount', 'failingSinceMs', 'lastNoticeHours'],
  })
  expect(healthLifecycle.change('recover', { set: { recheckCount: 1 }, remove: ['leaseUntilMs'] }).remove).toEqual([
    'probeCount',
    'recovery',
    'drained',
    'leaseUntilMs',
  ])
})

test('a row without the attributes of its state is an error, not a default', () => {
  const health = newHealth({ workspaceId: 'ws_1', id: 'whe_1' }, 0)
  expect(() => stateOf({ ...health, state: 'failing' })).toThrow(
    'the health of whe_1 is failing without failingSinceMs',
  )
  expect(() => stateOf({ ...health, state: 'failing', failingSinceMs: 1 })).toThrow('without probeCount')
  expect(() => stateOf({ ...health, state: 'recovering' })).toThrow('without recovery')
  expect(stateOf(health)).toEqual({ kind: 'active', recheckCount: 0 })
})
