import { afterAll, beforeAll, expect, test } from 'vitest'
import { putIndexFile, readIndexFile, removeIndexFiles } from '../../../shared/aws/index-bucket.ts'
import type { Context } from '../../../shared/context.ts'
import { removeRows } from '../../../shared/db/bulk.ts'
import { collections } from '../../../shared/memory/collection.ts'
import { folderOf, loadSegment } from '../../../shared/memory/search/files.ts'
import { memoryIndexes } from '../../../shared/memory/search/index-row.ts'
import { indexWork } from '../../../shared/memory/search/index-work.ts'
import { searchMemories } from '../../../shared/memory/search/search.ts'
import { takeLease, updateIndex } from '../../../shared/memory/search/update-index.ts'
import { type Kit, start } from '../../support/start.ts'
import { chaff, collect, fill, find, index, minuteMs, rowOf } from './library.ts'

let kit: Kit

beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const files = () =>
  kit.service.buckets
    .list(kit.ctx.env('INDEX_BUCKET'))
    .map(({ key }) => key)
    .filter((key) => key.startsWith(folderOf(kit.workspaceId)))
const filesOf = (collectionId: string) =>
  files().filter((key) => key.startsWith(folderOf(kit.workspaceId, collectionId)))

/** A collection with an index file, and a memory that tests search for. */
const indexed = async () => {
  const { id } = await collect(kit, [])
  const rows = await fill(kit, id, [...chaff(60), 'The lighthouse keeper writes a letter each evening'])
  await index(kit, id)
  return { id, rows, keeper: rows.at(-1)?.id ?? '' }
}

test('a missing or corrupt index file costs time but no results, and is rebuilt', async () => {
  const mutations = [
    (file: string) => putIndexFile(kit.ctx, file, Buffer.from('no index')),
    async (file: string) =>
      putIndexFile(kit.ctx, file, (await readIndexFile(kit.ctx, file))?.subarray(0, 900) ?? Buffer.of()),
    async (file: string) => void (await removeIndexFiles(kit.ctx, file)),
  ]
  const mutated: { id: string; keeper: string; file: string }[] = []
  for (const mutate of mutations) {
    const { id, keeper } = await indexed()
    const { file = '' } = (await rowOf(kit, id)) ?? {}
    await mutate(file)
    expect(await loadSegment(kit.ctx, file)).toBeUndefined()
    expect((await find(kit, 'lighthouse keeper', [id]))[0]).toBe(keeper)
    mutated.push({ id, keeper, file })
  }
  // The searches have requested them.
  await kit.service.pass(2 * minuteMs, { tickMinutes: 2 })
  for (const { id, keeper, file } of mutated) {
    const row = await rowOf(kit, id)
    expect(row?.file).not.toBe(file)
    expect((await loadSegment(kit.ctx, row?.file ?? ''))?.ids).toContain(keeper)
    expect((await find(kit, 'lighthouse keeper', [id]))[0]).toBe(keeper)
  }
})

test('a file replaced after its row was read is fetched again under its new name', async () => {
  const { id, keeper } = await indexed()
  const old = await rowOf(kit, id)
  await fill(kit, id, chaff(60))
  await index(kit, id)
  const collection = await collections.get(kit.ctx, { workspaceId: kit.workspaceId, id })
  if (collection === undefined) throw new Error('the collection is gone')
  const reads: string[] = []
  const ctx: Context = {
    ...kit.ctx,
    observe: ({ action }, run) => {
      reads.push(action)
      return run()
    },
  }
  const results = await searchMemories(ctx, [{ collection, index: old }], 'lighthouse keeper', 1)
  expect(results.map(({ memory }) => memory.id)).toEqual([keeper])
  expect(reads).toEqual(['GetObject', 'BatchGetItem', 'GetObject', 'Query', 'BatchGetItem'])
})

test('one of two concurrent workers runs, and one file remains', async () => {
  const { id } = await indexed()
  await fill(kit, id, [...chaff(60), 'The harbour master counts the boats'])
  kit.clock.pass(2 * minuteMs)
  const message = { workspaceId: kit.workspaceId, collectionId: id }
  await Promise.all([1, 2, 3].map(() => updateIndex(kit.ctx, message)))
  expect(filesOf(id)).toEqual([(await rowOf(kit, id))?.file])
  const { ids = [] } = (await loadSegment(kit.ctx, filesOf(id)[0] ?? '')) ?? {}
  expect(ids).toHaveLength(61 + 61)
  expect(new Set(ids).size).toBe(61 + 61)
})

test('a worker that lost its lease writes nothing more', async () => {
  const { id } = await indexed()
  const message = { workspaceId: kit.workspaceId, collectionId: id }
  const slow = await takeLease(kit.ctx, message)
  expect(await takeLease(kit.ctx, message)).toBeUndefined()
  kit.clock.pass(2 * minuteMs)
  const next = await takeLease(kit.ctx, message)
  if (!slow || !next) throw new Error('the lease was not taken')
  await expect(indexWork.save(kit.ctx, slow, { set: { file: 'mine' } })).rejects.toThrow('another worker')
  expect(await indexWork.end(kit.ctx, slow)).toBe(false)
  expect(await indexWork.end(kit.ctx, next)).toBe(true)
  expect((await rowOf(kit, id))?.leaseUntilMs).toBeUndefined()
})

/** A context that dies after its nth effect, and has none from then on. */
const dying = (nth: number): { ctx: Context; isDead: () => boolean } => {
  let left = nth
  let dead = false
  const observe: Context['observe'] = async (_effect, run) => {
    if (dead) throw new Error('dead')
    const result = await run()
    left -= 1
    dead = left <= 0
    if (dead) throw new Error('dead')
    return result
  }
  return { ctx: { ...kit.ctx, observe }, isDead: () => dead }
}

test('a worker can crash after any effect: results stay correct, and the next one completes the work', async () => {
  const { id, keeper, rows } = await indexed()
  let [spy] = rows
  for (let nth = 1; ; nth += 1) {
    const gone = spy?.id ?? ''
    await kit.api.memory.delete({ params: { id: gone }, body: { collectionId: id } })
    ;[spy] = await fill(kit, id, [`The spy left the lighthouse ${nth} times`])
    kit.clock.pass(2 * minuteMs)
    const { ctx, isDead } = dying(nth)
    await updateIndex(ctx, { workspaceId: kit.workspaceId, collectionId: id }).catch(() => {})
    const hits = await find(kit, 'lighthouse', [id])
    expect(hits).toEqual(expect.arrayContaining([spy?.id, keeper]))
    expect(hits).not.toContain(gone)
    // The lease of the dead ends, and the sweeper finds what is left to do.
    await kit.service.pass(6 * minuteMs, { tickMinutes: 3 })
    const row = await rowOf(kit, id)
    expect(row?.leaseUntilMs, `after effect ${nth}`).toBeUndefined()
    expect(filesOf(id)).toEqual([row?.file])
    const { ids = [] } = (await loadSegment(kit.ctx, row?.file ?? '')) ?? {}
    expect(ids).toContain(spy?.id)
    expect(ids).not.toContain(gone)
    if (!isDead()) break
    expect(nth).toBeLessThan(40)
  }
}, 240_000)

test('a deleted collection leaves no file and no row', async () => {
  const { id, rows } = await indexed()
  await kit.api.memory.delete({ params: { id: rows[0]?.id ?? '' }, body: { collectionId: id } })
  await kit.api.memory.deleteCollection({ params: { id } })
  // A worker whose message was on its way finds nothing that it may index.
  await updateIndex(kit.ctx, { workspaceId: kit.workspaceId, collectionId: id })
  await kit.service.pass(20 * minuteMs, { tickMinutes: 5 })
  expect(filesOf(id)).toEqual([])
  expect(await rowOf(kit, id)).toBeUndefined()
})

test('a lost index row leads to a new index, not to lost memories', async () => {
  const { id, keeper } = await indexed()
  await removeRows(kit.ctx, [memoryIndexes.key({ workspaceId: kit.workspaceId, id })])
  expect((await find(kit, 'lighthouse keeper', [id]))[0]).toBe(keeper)
  await index(kit, id)
  expect(filesOf(id)).toEqual([(await rowOf(kit, id))?.file])
})

test('a deleted workspace leaves no file and no row of its indexes', async () => {
  const { id } = await indexed()
  await kit.api.memory.search({ body: { prompt: 'lighthouse', collectionIds: [id] } })
  const { slug } = await kit.sessionApi.workspaces.get({ params: { id: kit.workspaceId } })
  await kit.sessionApi.workspaces.delete({ params: { id: kit.workspaceId }, query: { confirm: slug } })
  // A worker whose message was on its way is not let in any more.
  await updateIndex(kit.ctx, { workspaceId: kit.workspaceId, collectionId: id })
  await kit.service.pass(90 * minuteMs, { tickMinutes: 30 })
  expect(files()).toEqual([])
  expect(await rowOf(kit, id)).toBeUndefined()
})
