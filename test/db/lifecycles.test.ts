import { expect, test } from 'vitest'
import { jobStatuses } from '../../shared/ai/jobs/job.ts'
import { jobLifecycle } from '../../shared/ai/jobs/work.ts'
import { exportStatuses } from '../../shared/export/export.ts'
import { exportLifecycle } from '../../shared/export/work.ts'
import { MediaImport } from '../../shared/media/imports/import.ts'
import { importLifecycle } from '../../shared/media/imports/work.ts'
import { replayStatuses } from '../../shared/webhooks/replays/replay.ts'
import { replayLifecycle } from '../../shared/webhooks/replays/work.ts'
import { drawDiagram, drawTable, statesOf, type Table } from '../support/lifecycle-diagram.ts'

interface Life {
  title: string
  where: string
  transitions: Table
  /** The statuses that a new row has. */
  first: readonly string[]
  statuses: readonly string[]
}

const lives: readonly Life[] = [
  {
    title: 'Export',
    where: 'export/work.ts',
    transitions: exportLifecycle.transitions,
    first: ['running'],
    statuses: exportStatuses,
  },
  {
    title: 'Replay',
    where: 'webhooks/replays/work.ts',
    transitions: replayLifecycle.transitions,
    first: ['running'],
    statuses: replayStatuses,
  },
  {
    title: 'Import of a file',
    where: 'media/imports/work.ts',
    transitions: importLifecycle.transitions,
    first: ['pending'],
    statuses: MediaImport.shape.status.options,
  },
  {
    title: 'AI job',
    where: 'ai/jobs/work.ts',
    transitions: jobLifecycle.transitions,
    first: ['queued', 'running'],
    statuses: jobStatuses,
  },
]

const sectionOf = ({ title, where, transitions, first }: Life) => `## ${title}

From \`${where}\`.

${drawDiagram(transitions, first)}

${drawTable(transitions)}
`

const readme = `# The lives of durable work

\`work.ts\` leases a row, continues it, and ends it; \`lifecycle.ts\` says which status follows which. Posts, deliveries, and the
health of an endpoint have pages of their own ([posts](../posts/lifecycle/README.md),
[deliveries](../webhooks/deliveries/lifecycle/README.md), [endpoints](../webhooks/health/README.md)). The index of
memories, alerts, pushes, and previews have no status: their row, or its due time, exists while there is work.

After a change, draw this page again: \`vitest run test/db --update=all\`.

${lives.map(sectionOf).join('\n')}`

test('the diagrams in the README match the transitions', async () => {
  await expect(readme).toMatchFileSnapshot('../../shared/db/README.md')
})

test.each(lives)('every status of $title can be reached, and is a state of its table', ({
  transitions,
  first,
  statuses,
}) => {
  const reached = new Set<string>(first)
  for (const state of reached) {
    for (const { moves } of Object.values(transitions)) for (const to of moves[state] ?? []) reached.add(to)
  }
  reached.delete('deleted')
  expect([...reached].sort()).toEqual([...statuses].sort())
  expect(
    statesOf(transitions)
      .filter((state) => state !== 'deleted')
      .sort(),
  ).toEqual([...statuses].sort())
})
