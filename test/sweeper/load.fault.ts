import { expect, test } from 'vitest'
import { workerTable } from '../../functions/routes.ts'
import { localNames } from '../../infra/deploy/stacks/names.ts'
import { put } from '../../shared/db/table.ts'
import { stopAfterMs, sweep } from '../../shared/sweeper/sweep.ts'
import { type Kit, start } from '../support/start.ts'

const shard = 'SWEEP#0'

/** Rows of one shard that are due, the first one longest. */
const makeDue = async (kit: Kit, rows: readonly object[]) => {
  for (const [n, row] of rows.entries()) {
    const sweepAtMs = kit.clock.now() - 1_000_000 + n
    await put(kit.ctx, { PK: `TEST#${n}`, SK: 'row', sweepShard: shard, sweepAtMs, sweepCount: 0, ...row })
  }
}

const outboxRow = { type: 'Outbox', workspaceId: 'ws_waiting', id: 'outbox_waiting' }

const postRow = (n: number) => ({
  type: 'Post',
  workspaceId: 'ws_busy',
  id: `post_${n}`,
  platform: 'x',
  socialAccountId: 'acc_busy',
  scheduledAtMs: 0,
  version: 1,
})

const bodiesIn = (kit: Kit, queue: string): string[] =>
  kit.service.queues.peek(localNames.physical(queue)).map(({ body }) => body)

const expectEventsSent = (kit: Kit) => {
  const message = { workspaceId: outboxRow.workspaceId, outboxId: outboxRow.id }
  expect(bodiesIn(kit, 'events').map((body) => JSON.parse(body))).toContainEqual(message)
}

test('the events of a workspace do not wait behind the posts of a platform with a full queue', async () => {
  const kit = await start()
  for (let n = 0; n <= 10_000; n += 1) {
    kit.service.queues.send(localNames.physical('publish-x'), { MessageBody: '{}', MessageGroupId: 'ws_busy' })
  }
  await makeDue(kit, [...Array.from({ length: 600 }, (_, n) => postRow(n)), outboxRow])
  await sweep(kit.ctx)
  expectEventsSent(kit)
  expect(bodiesIn(kit, 'publish-x').filter((body) => body !== '{}')).toEqual([])
})

test('sweeps more rows than a page in one run', async () => {
  const kit = await start()
  await makeDue(kit, [...Array.from({ length: 600 }, (_, n) => postRow(n)), outboxRow])
  await sweep(kit.ctx)
  expectEventsSent(kit)
  expect(new Set(bodiesIn(kit, 'publish-x')).size).toBe(600)
  await sweep(kit.ctx)
  expect(bodiesIn(kit, 'publish-x')).toHaveLength(600)
})

test('an unreadable row is reported and blocks no other row', async () => {
  const kit = await start()
  await makeDue(kit, [
    { ...postRow(1), platform: 'myspace' },
    { type: 'OfALaterVersion' },
    { sweepAtMs: kit.clock.now() - 999, type: 7 },
    outboxRow,
  ])
  await sweep(kit.ctx)
  expectEventsSent(kit)
  const logged = kit.logged.map((line) => JSON.parse(line))
  const errors = logged.filter(({ level }) => level === 'error')
  expect(errors.map(({ PK }) => PK)).toEqual(['TEST#2'])
  // Those that a newer release may have written share a line, which is no error.
  expect(logged.filter(({ message }) => message === 'rows of a newer release are left')).toMatchObject([
    { level: 'warn', rows: 2, PK: expect.stringMatching(/^TEST#[01]$/) },
  ])
})

test('work that is resumed in vain for fifteen minutes is logged for the alarm, with its queue and first row', async () => {
  const kit = await start()
  const late = { ...postRow(1), sweepCount: 4 }
  await makeDue(kit, [late, { ...postRow(2), sweepCount: 3 }, { ...outboxRow, sweepCount: 9 }])
  await sweep(kit.ctx)
  const overdue = () =>
    kit.logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'work is overdue')
  expect(
    overdue()
      .map(({ queue, rows, PK, SK, type }) => [queue, rows, PK, SK, type])
      .sort(),
  ).toEqual([
    ['events', 1, 'TEST#2', 'row', 'Outbox'],
    ['publish-x', 1, 'TEST#0', 'row', 'Post'],
  ])
  // What was just resumed is not due again.
  await sweep(kit.ctx)
  expect(overdue()).toHaveLength(2)
})

test('a run starts no page that its function has no time for, and the next run continues', async () => {
  let passMs = 1_000
  const kit = await start({
    observe: async ({ service, action }, run) => {
      if (service === 'sqs' && action === 'SendMessage') kit.clock.pass(passMs)
      return run()
    },
  })
  const rows = 700
  await makeDue(
    kit,
    Array.from({ length: rows }, (_, n) => ({ ...outboxRow, id: `outbox_${n}` })),
  )
  const startedMs = kit.clock.now()
  await sweep(kit.ctx)
  const sent = bodiesIn(kit, 'events').length
  // The longest page sends for 10 s here.
  expect(kit.clock.now() - startedMs).toBeLessThan(60_000)
  expect(sent).toBe(500)
  passMs = 0
  await sweep(kit.ctx)
  expect(new Set(bodiesIn(kit, 'events')).size).toBe(rows)
})

test('the sweeper has time for a page after its last look at the clock, and a whole processor', () => {
  const entry = workerTable.find(({ name }) => name === 'sweep')
  expect(entry?.worker.definition.timeoutSeconds).toBeGreaterThanOrEqual(stopAfterMs / 1000 + 8)
  expect(entry?.worker.definition.timeoutSeconds).toBeLessThan(60)
  expect(entry?.worker.definition.memoryMb).toBe(1769)
})
