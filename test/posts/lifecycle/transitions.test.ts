import { expect, test } from 'vitest'
import { postLifecycle } from '../../../shared/posts/lifecycle/transitions.ts'
import { drawDiagram, drawTable, statesOf } from '../../support/lifecycle-diagram.ts'

const { transitions } = postLifecycle

const readme = `# The life of a post

\`row.ts\` says what is stored, \`state.ts\` in which state a row is at a moment, \`transitions.ts\` what leads from which state
to which, and \`writes.ts\` makes the write of each transition, under a condition of \`state.ts\`. Texts, events, counts, and
messages that go with it are created by the folders next to this one.

The diagram and the table below are drawn from \`transitions.ts\`. After a change, draw them again:
\`vitest run test/posts/lifecycle/transitions.test.ts --update=all\`.

${drawDiagram(transitions, ['scheduled', 'awaiting-turn'])}

${drawTable(transitions)}
`

test('the diagram in the README is the one of the transitions', async () => {
  await expect(readme).toMatchFileSnapshot('../../../shared/posts/lifecycle/README.md')
})

test('every state can be reached from a new post, and every state but the ended ones can be left', () => {
  const reached = new Set<string>(['scheduled', 'awaiting-turn'])
  for (const state of reached) {
    for (const { moves } of Object.values(transitions)) {
      for (const to of (moves as Readonly<Record<string, readonly string[]>>)[state] ?? []) reached.add(to)
    }
  }
  expect([...reached].sort()).toEqual(statesOf(transitions).sort())
  const stopped = statesOf(transitions).filter(
    (state) => !Object.values(transitions).some(({ moves }) => state in moves),
  )
  expect(stopped).toEqual(['deleted'])
})
