import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../functions/client.ts'
import { workerTable } from '../../functions/routes.ts'
import { transact } from '../../shared/db/table.ts'
import { makeEvent } from '../../shared/events/event.ts'
import { visibilityDelayMs } from '../../shared/events/log.ts'
import { recordEvents } from '../../shared/events/outbox.ts'
import { ulid } from '../../shared/ids.ts'
import { firstEvent } from '../support/first-event.ts'
import { type Kit, start } from '../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** No event is recorded later than this after its position was assigned: no function that records events may run longer. */
const latestMs = 60_000

test('withholds events for longer than any function that records them can run', () => {
  const recording = workerTable.filter(({ worker: { definition } }) => definition.needs.includes('queue:events'))
  expect(recording.map(({ name }) => name)).toEqual(expect.arrayContaining(['prepare-post', 'publish-post']))
  for (const { name, worker } of recording) {
    expect(worker.definition.timeoutSeconds * 1000, name).toBeLessThanOrEqual(latestMs)
  }
  // Half a minute for a write that is on its way when its function is stopped, and for clocks that differ.
  expect(visibilityDelayMs).toBeGreaterThanOrEqual(latestMs + 30_000)
})

type Step = { record: number; lateMs: number } | { passMs: number } | { read: number }

const lateness = fc.constantFrom(0, 0, 30_000, latestMs - 1, latestMs)
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ record: fc.integer({ min: 1, max: 3 }), lateMs: lateness }) },
    { weight: 3, arbitrary: fc.record({ passMs: fc.constantFrom(1, 10_000, 25_000, latestMs) }) },
    { weight: 2, arbitrary: fc.record({ read: fc.integer({ min: 1, max: 4 }) }) },
  ),
  { minLength: 20, maxLength: 40 },
)

/** One writer that commits at the last moment, another that commits immediately, and a reader in between. */
const slowest: Step[] = [
  { record: 1, lateMs: latestMs },
  { passMs: 1 },
  { record: 1, lateMs: 0 },
  { passMs: latestMs - 2 },
  { read: 4 },
]

/** A workspace in which transactions commit late, and a reader of its log. */
const makeBench = async () => {
  const { id, name, slug } = await kit.sessionApi.workspaces.create({ body: { name: 'Late', timezone: 'UTC' } })
  const { webhooks }: Client = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: id })
  const outboxRows: { outboxId: string; ids: string[] }[] = []
  let underWay: { dueMs: number; commit: () => Promise<void> }[] = []
  const seen: string[] = []
  let cursor: string | null = null

  const record = (count: number, lateMs: number) => {
    const outboxId = ulid(kit.clock.now())
    const events = Array.from({ length: count }, (_, n) =>
      makeEvent('post.cancelled', { id, name, slug }, kit.clock.now(), firstEvent(outboxId, n), {}),
    )
    outboxRows.push({ outboxId, ids: events.map((event) => event.id) })
    const commit = () => transact(kit.ctx, () => recordEvents(kit.ctx, outboxId, { id, name, slug }, events))
    underWay.push({ dueMs: kit.clock.now() + lateMs, commit })
  }
  const commitDue = async () => {
    const due = underWay.filter(({ dueMs }) => dueMs <= kit.clock.now())
    underWay = underWay.filter((pending) => !due.includes(pending))
    for (const { commit } of due) await commit()
  }
  const read = async (limit: number) => {
    const page = await webhooks.listEventLog({ query: { limit, ...(cursor === null ? {} : { cursor }) } })
    seen.push(...page.items.map((event) => event.id))
    cursor = page.nextCursor
    return page.hasMore
  }
  return {
    seen,
    inOrder: () => outboxRows.toSorted((a, b) => (a.outboxId < b.outboxId ? -1 : 1)).flatMap(({ ids }) => ids),
    async take(step: Step) {
      if ('record' in step) record(step.record, step.lateMs)
      else if ('passMs' in step) kit.clock.pass(step.passMs)
      else await read(step.read)
      await commitDue()
    },
    readToEnd: async () => {
      while (await read(4)) {}
    },
  }
}

test('a reader of the log sees every event once and in order, however late it was committed', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const bench = await makeBench()
      for (const step of taken) await bench.take(step)
      await bench.take({ passMs: latestMs })
      await bench.take({ passMs: visibilityDelayMs + 1 })
      await bench.readToEnd()
      expect(bench.seen).toEqual(bench.inOrder())
    }),
    { numRuns: 10, examples: [[slowest]] },
  )
})
