import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeRows } from '../../../shared/db/bulk.ts'
import { memories } from '../../../shared/memory/memory.ts'
import { loadSegment } from '../../../shared/memory/search/files.ts'
import { type Kit, start } from '../../support/start.ts'
import { chaff, collect, fill, find, index, minuteMs, rowOf } from './library.ts'

const texts = [
  'Our newsletter goes out every second Tuesday at nine in the morning.',
  'The summer campaign for the lemonade brought most clicks from Instagram.',
  'Reply to complaints about late parcels with an apology and a voucher.',
]

let kit: Kit

beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** What the index file of a collection holds. */
const indexed = async (collectionId: string): Promise<readonly string[]> => {
  const row = await rowOf(kit, collectionId)
  const segment = row?.file === undefined ? undefined : await loadSegment(kit.ctx, row.file)
  return segment?.ids ?? []
}

test('the best match comes first, before and after indexing, and other collections are excluded', async () => {
  const { id, memories: made } = await collect(kit, texts)
  const other = await collect(kit, texts)
  const [newsletter, campaign, complaint] = made.map((memory) => memory.id)
  const look = async () => {
    expect((await find(kit, 'When does the newsletter go out?', [id]))[0]).toBe(newsletter)
    expect((await find(kit, 'lemonade campaign clicks', [id]))[0]).toBe(campaign)
    expect((await find(kit, 'what to answer to complaints about parcels', [id]))[0]).toBe(complaint)
    const both = await find(kit, 'newsletter on Tuesday', [id, other.id])
    expect(both.slice(0, 2).sort()).toEqual([newsletter, other.memories[0]?.id].sort())
  }
  await look()
  await fill(kit, id, chaff(60))
  await index(kit, id)
  await index(kit, other.id)
  expect(await indexed(id)).toContain(campaign)
  await look()
})

test('scores decrease and lie between 0 and 1; topK is respected', async () => {
  const { id } = await collect(kit, [
    ...texts,
    'The newsletter is written by Ann.',
    'Newsletter, newsletter, newsletter.',
  ])
  const body = { prompt: 'newsletter on a Tuesday morning', collectionIds: [id, id], topK: 2 }
  const { hits } = await kit.api.memory.search({ body })
  expect(hits).toHaveLength(2)
  expect(hits[0]?.score).toBeGreaterThanOrEqual(hits[1]?.score ?? 1)
  for (const { score } of hits) expect(score > 0 && score <= 1, String(score)).toBe(true)
})

test('a removed memory is not found anymore and soon leaves the index', async () => {
  const { id, memories: made } = await collect(kit, texts)
  await fill(kit, id, chaff(60))
  await index(kit, id)
  const before = await rowOf(kit, id)
  const gone = made[1]?.id ?? ''
  await kit.api.memory.delete({ params: { id: gone }, body: { collectionId: id } })
  expect(await find(kit, 'lemonade campaign', [id])).not.toContain(gone)
  expect(await indexed(id)).toContain(gone)
  // No one sends a message: the sweeper finds the removal.
  await kit.service.pass(3 * minuteMs)
  expect(await indexed(id)).not.toContain(gone)
  expect(await loadSegment(kit.ctx, before?.file ?? '')).toBeUndefined()
  expect(await find(kit, 'complaints about late parcels', [id])).toContain(made[2]?.id)
})

test('hundreds of removed matches do not hide the remaining one', async () => {
  const { id } = await collect(kit, [])
  const many = await fill(
    kit,
    id,
    Array.from({ length: 230 }, () => 'Tulips tulips tulips'),
  )
  const [left] = await fill(kit, id, ['Among the roses a single bed of tulips is grown for the market'])
  await index(kit, id)
  await removeRows(kit.ctx, many.map(memories.key))
  expect(await find(kit, 'tulips', [id])).toEqual([left?.id])
})

test('a memory is found within the second of its creation, even with an older index', async () => {
  const { id } = await collect(kit, texts)
  await fill(kit, id, chaff(60))
  await index(kit, id)
  const fresh = await kit.api.memory.create({
    body: { text: 'The giraffe mascot is called Gerda', collectionId: id },
  })
  expect((await find(kit, 'giraffe mascot', [id]))[0]).toBe(fresh.id)
})

test('never finds private memories of other members or anything of another workspace', async () => {
  const { id } = await collect(kit, texts)
  await index(kit, id)
  const mine = await collect(kit, texts, true)
  await index(kit, mine.id)
  const { hits } = await kit.api.memory.search({ body: { prompt: 'newsletter', collectionIds: [id], topK: 20 } })
  expect(new Set(hits.map(({ memory }) => memory.collectionId))).toEqual(new Set([id]))
  const refused = kit.api.memory.search({ body: { prompt: 'newsletter', collectionIds: [id, 'col_nobody'] } })
  await expect(refused).rejects.toThrow(/col_nobody/)
})

test('an index of more memories than one run adds is built in several runs', async () => {
  const { id } = await collect(kit, [])
  const rows = await fill(kit, id, [...chaff(2_060), 'The last one counts the penguins'])
  const row = await index(kit, id)
  expect(row?.fileCount).toBe(2_000)
  expect(row?.leaseUntilMs).toBeUndefined()
  expect(await find(kit, 'penguins', [id])).toEqual([rows.at(-1)?.id])
  await kit.service.pass(3 * minuteMs)
  expect((await rowOf(kit, id))?.fileCount).toBe(2_061)
  expect(await find(kit, 'penguins', [id])).toEqual([rows.at(-1)?.id])
})
