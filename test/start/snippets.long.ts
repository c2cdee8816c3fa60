import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useService } from './one-service.ts'
import { until } from './processes.ts'
import { documents } from './snippets/blocks.ts'
import { runDocument } from './snippets/run.ts'
import { openShell } from './snippets/shell.ts'
import { personalTracesIn, tracesIn, untilCallsAreLeft } from './snippets/traces.ts'

// As a reader has it: with an account on each platform. With plans, so that the guide about them has some.
const local = useService({ options: ['--billing', '--demo'] })

const seed = Number(process.env['SNIPPETS_SEED'] ?? Date.now() % 1_000_000)
process.stdout.write(`SNIPPETS_SEED=${seed}\n`)

const anyOrder = fc.shuffledSubarray([...documents], { minLength: documents.length })
/** Each guide is pasted so many times: `SNIPPETS_ROUNDS=1` is a reader's first time only. */
const numRuns = Number(process.env['SNIPPETS_ROUNDS'] ?? 2)
const orders = fc.sample(anyOrder, { seed, numRuns })
const rounds = orders.flatMap((order, n) => order.map((path) => ({ path, round: n + 1 })))

/** One terminal for each document: the second time, the reader pastes it where the first time has left its files. */
const shells = new Map<string, ReturnType<typeof openShell>>()

let atFirst: unknown
beforeAll(async () => {
  const isUp = () => (local.running.output().includes('The service is up.') ? true : undefined)
  await until('the demo is over', isUp, 120_000)
  atFirst = await personalTracesIn(local.service)
})
afterAll(() => {
  for (const shell of shells.values()) shell.close()
})

test.each(rounds)('every block of $path runs as pasted (time $round), and breaks no other guide', async ({ path }) => {
  await untilCallsAreLeft(local.service, 60)
  const before = await tracesIn(local.service)
  const shell = shells.get(path) ?? openShell(local.folder)
  shells.set(path, shell)
  await runDocument(shell, local.service.baseUrl, path)
  await shell.run('jobs -r', 30_000)
  expect(shell.output(), 'programs that the guide leaves running').toBe('')
  await untilCallsAreLeft(local.service, 10)
  expect(await tracesIn(local.service)).toEqual(before)
}, 600_000)

test('the guides leave no token, device, or invitation with their person', async () => {
  await untilCallsAreLeft(local.service, 10)
  expect(await personalTracesIn(local.service)).toEqual(atFirst)
}, 120_000)
