import { expect, test } from 'vitest'
import { put, transact } from '../../shared/db/table.ts'
import { ulid } from '../../shared/ids.ts'
import { collections } from '../../shared/memory/collection.ts'
import { type Memory, memories } from '../../shared/memory/memory.ts'
import { purgeCollection } from '../../shared/memory/purge-collection.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Notes, startMemoryService } from '../api/memory/notes.ts'
import { crashAfter } from '../support/crash-after.ts'

const { open, watch } = startMemoryService()
/** Longer than the last look waits for. */
const quietMs = 15 * minuteMs

const isOfCollection = ({ functionName, action }: { functionName: string; action: string }) =>
  functionName === 'memory-delete-collection' && action === 'SendMessage'

interface Leftover {
  workspaceId: string
  collectionId: string
}

/** A deleted collection with memories in it, whose removal has not begun since its message was lost. */
const makeLeftover = async ({ collect, remember, drop, workspaceId }: Notes, count = 2): Promise<Leftover> => {
  const { id: collectionId } = await collect()
  for (let n = 0; n < count; n += 1) await remember(collectionId)
  await watch(
    (effect, run) => (isOfCollection(effect) ? Promise.reject(new Error('lost on the way to the queue')) : run()),
    () => drop(collectionId),
  )
  return { workspaceId, collectionId }
}

const memoryOf = ({ workspaceId, user, clock }: Notes, collectionId: string): Memory => ({
  id: `mem_${ulid(clock.now())}`,
  workspaceId,
  collectionId,
  text: 'x',
  createdBy: user.id,
  createdAt: new Date(clock.now()).toISOString(),
})

const kindsOf = async ({ tracesOf }: Notes, collectionId: string) =>
  (await tracesOf(collectionId)).map(({ type }) => String(type)).sort()

test('a deletion removes the memories within the minute, and the row of the collection when no write can be in progress', async () => {
  const notes = await open()
  const { collect, remember, drop, service } = notes
  const [gone, stays] = [await collect(), await collect()]
  for (const { id } of [gone, gone, stays]) await remember(id)
  await drop(gone.id)
  expect(await kindsOf(notes, gone.id)).toEqual(['Collection', 'Memory', 'Memory'])
  await service.drain()
  expect(await kindsOf(notes, gone.id)).toEqual(['Collection'])
  await service.pass(quietMs + 2 * minuteMs, { tickMinutes: 5 })
  expect(await kindsOf(notes, gone.id)).toEqual([])
  expect(await kindsOf(notes, stays.id)).toEqual(['Collection', 'Memory'])
})

test('a lost message only delays it: the sweeper finds the deletion', async () => {
  const notes = await open()
  const { collectionId } = await makeLeftover(notes)
  await notes.service.drain()
  expect(await kindsOf(notes, collectionId)).toHaveLength(3)
  await notes.service.pass(2 * minuteMs)
  expect(await kindsOf(notes, collectionId)).toEqual(['Collection'])
  await notes.service.pass(quietMs + 2 * minuteMs, { tickMinutes: 5 })
  expect(await kindsOf(notes, collectionId)).toEqual([])
})

test('a memory still being written during the deletion is removed in the last pass', async () => {
  const notes = await open()
  const { collectionId } = await makeLeftover(notes)
  await notes.service.pass(2 * minuteMs)
  await put(notes.ctx, memories.item(memoryOf(notes, collectionId)))
  await notes.service.pass(quietMs + 2 * minuteMs, { tickMinutes: 5 })
  expect(await kindsOf(notes, collectionId)).toEqual([])
})

test('a worker that reaches its limit continues within a minute until nothing is left', async () => {
  const notes = await open()
  const leftover = await makeLeftover(notes, 0)
  const rows = Array.from({ length: 1_100 }, () => ({ put: memories.item(memoryOf(notes, leftover.collectionId)) }))
  for (let from = 0; from < rows.length; from += 100) await transact(notes.ctx, () => rows.slice(from, from + 100))
  const left: number[] = []
  let wakeInMs = 0
  while (left.length < 10 && wakeInMs === 0) {
    await purgeCollection(notes.ctx, leftover, 500)
    const [collection, ...others] = (await notes.tracesOf(leftover.collectionId)).sort(({ type }) =>
      type === 'Collection' ? -1 : 1,
    )
    left.push(others.length)
    wakeInMs = Number(collection?.['sweepAtMs']) - notes.clock.now()
  }
  expect(left).toEqual([600, 100, 0])
  expect(wakeInMs).toBe(quietMs)
})

test('a worker that crashes after any of its effects, in either pass, leaves nothing in the end', async () => {
  const notes = await open()
  const pass = crashAfter(notes.ctx, (ctx, leftover: Leftover) => purgeCollection(ctx, leftover))
  const leftovers = [await makeLeftover(notes)]
  /** Crashes in a pass like this one, each in the removal of a separate collection. */
  const dieEverywhere = async (calm: readonly string[], ready: () => Promise<Leftover>) => {
    expect(calm.length).toBeGreaterThan(3)
    for (const at of calm.keys()) {
      const leftover = await ready()
      leftovers.push(leftover)
      await pass(leftover, at)
    }
  }
  const firstPass = await pass(await makeLeftover(notes))
  await dieEverywhere(firstPass, () => makeLeftover(notes))
  // What no pass has seen before has most to do in the last one; its last look comes immediately.
  const makeUnseen = async () => {
    const leftover = await makeLeftover(notes)
    notes.clock.pass(quietMs)
    return leftover
  }
  const lastPass = await pass(await makeUnseen())
  await dieEverywhere(lastPass, makeUnseen)
  await notes.service.pass(2 * quietMs, { tickMinutes: 5 })
  for (const { collectionId } of leftovers) expect(await kindsOf(notes, collectionId)).toEqual([])
})

test('a collection that is not deleted, or is already gone, is left alone', async () => {
  const notes = await open()
  const { workspaceId, collect, remember, get } = notes
  const { id: collectionId } = await collect()
  await remember(collectionId)
  await purgeCollection(notes.ctx, { workspaceId, collectionId })
  expect(await get(collectionId)).toMatchObject({ memoryCount: 1 })
  await purgeCollection(notes.ctx, { workspaceId, collectionId: 'col_none' })
  expect((await notes.ctx) && (await collections.get(notes.ctx, { workspaceId, id: 'col_none' }))).toBeUndefined()
})

test('deleting a workspace during the purge of a collection leaves nothing of it', async () => {
  const notes = await open()
  const { collect, remember, drop, api, workspaceId, service } = notes
  const [remaining, going] = [await collect(), await collect()]
  for (const { id } of [remaining, going]) await remember(id)
  await drop(going.id)
  const { slug } = await api.workspaces.get({ params: { id: workspaceId } })
  await api.workspaces.delete({ params: { id: workspaceId }, query: { confirm: slug } })
  await service.pass(75 * minuteMs, { tickMinutes: 15 })
  expect(await kindsOf(notes, remaining.id)).toEqual([])
  expect(await kindsOf(notes, going.id)).toEqual([])
  expect(JSON.stringify(await notes.tracesOf(`WS#${workspaceId}#`))).toBe('[]')
})
