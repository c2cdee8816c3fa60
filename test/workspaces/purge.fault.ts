import { afterAll, beforeAll, expect, test } from 'vitest'
import { get } from '../../shared/db/table.ts'
import { purgeWorkspace } from '../../shared/deletion/purge.ts'
import { hourMs } from '../../shared/time.ts'
import { deletions } from '../../shared/workspaces/deletion.ts'
import { crashAfter } from '../support/crash-after.ts'
import { type Kit, start } from '../support/start.ts'
import { listFiles } from './files.ts'
import { fillWorkspace, tracesOf } from './full-workspace.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** The effects that changed something: a death anywhere else leaves what a death after the one before left. */
const changesAmong = (done: readonly string[]) =>
  done.flatMap((action, at) => (['BatchGetItem', 'Query', 'ListObjectsV2'].includes(action) ? [] : [at]))

const makeEstates = (count: number) => Promise.all(Array.from({ length: count }, () => fillWorkspace(kit)))

test('a worker that dies after any of its effects leaves nothing behind when it is called again', async () => {
  const pass = crashAfter(kit.ctx, (ctx, workspaceId: string) => purgeWorkspace(ctx, { workspaceId }))
  const [sample = ''] = await makeEstates(1)
  const firstDeaths = [0, ...changesAmong(await pass(sample))]
  expect(firstDeaths.length).toBeGreaterThan(10)
  const estates = await makeEstates(2 * firstDeaths.length + 5)
  for (const [n, at] of firstDeaths.entries()) await pass(estates[n] ?? '', at)
  kit.clock.pass(hourMs)
  // What no pass has seen before has most to do in the last one.
  const lastDeaths = [0, ...changesAmong(await pass(estates.pop() ?? ''))]
  expect(lastDeaths.length).toBeGreaterThan(10)
  for (const [n, at] of lastDeaths.entries()) await pass(estates[firstDeaths.length + n] ?? '', at)
  for (const workspaceId of [sample, ...estates]) await pass(workspaceId)
  const traces = JSON.stringify(await tracesOf(kit, 'ws_'))
  const files = JSON.stringify(await listFiles(kit, 'ws_'))
  expect([sample, ...estates].filter((id) => traces.includes(id) || files.includes(id))).toEqual([])
}, 60_000)

test('a worker that has removed as much as it may comes back within a minute, until nothing is left', async () => {
  const [workspaceId = ''] = await makeEstates(1)
  const wakeInMs = async () =>
    Number((await get(kit.ctx, deletions.key({ workspaceId })))?.['sweepAtMs']) - kit.clock.now()
  let passes = 0
  do {
    await purgeWorkspace(kit.ctx, { workspaceId }, 5)
    passes += 1
  } while (passes < 20 && (await wakeInMs()) === 0)
  expect(passes).toBeGreaterThan(3)
  expect(await wakeInMs()).toBe(hourMs)
  const kinds = (await tracesOf(kit, workspaceId)).map(({ type }) => String(type))
  // Pointers to rows that may still be written stay until the last pass.
  expect(kinds.sort()).toEqual(['Collection', 'Endpoint', 'Member', 'Slug', 'WorkspaceDeletion'])
})
