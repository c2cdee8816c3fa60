import { expect, test } from 'vitest'
import { refusalOf, statusOf } from '../answers.ts'
import { startMemoryService } from './notes.ts'

const { open, before, watch } = startMemoryService()

test('stores a memory as sent, counts it, and deletes it', async () => {
  const { collect, remember, forget, list, get, user, clock } = await open()
  const { id: collectionId } = await collect()
  const text = '  Zwei Zeilen,\nund 👩‍👩‍👧  '
  const memory = await remember(collectionId, text)
  const createdAt = new Date(clock.now()).toISOString()
  const id = expect.stringMatching(/^mem_[0-9A-Z]{26}$/)
  expect(memory).toEqual({ id, collectionId, text, createdBy: user.id, createdAt })
  expect(await list(collectionId)).toEqual({ items: [memory], total: 1, limit: 100, offset: 0, hasMore: false })
  expect((await get(collectionId)).memoryCount).toBe(1)
  expect(await forget(memory)).toEqual({ id: memory.id, deleted: true })
  expect(await list(collectionId)).toMatchObject({ items: [], total: 0 })
  expect((await get(collectionId)).memoryCount).toBe(0)
  expect(await refusalOf(forget(memory))).toMatchObject({ status: 404, code: 'memory_not_found', field: 'id' })
})

test('a memory belongs to its collection and its workspace', async () => {
  const { collect, remember, forget, list } = await open()
  const [one, other] = [await collect(), await collect()]
  const memory = await remember(one.id)
  expect(await refusalOf(forget({ ...memory, collectionId: other.id }))).toMatchObject({ status: 404, field: 'id' })
  const stranger = await open()
  const missing = { status: 404, code: 'collection_not_found', field: 'collectionId' }
  expect(await refusalOf(stranger.forget(memory))).toMatchObject(missing)
  expect(await refusalOf(stranger.list(one.id))).toMatchObject(missing)
  expect(await refusalOf(stranger.remember(one.id))).toMatchObject(missing)
  expect(await list(one.id)).toMatchObject({ total: 1 })
})

test('the body of a delete request names the collection and may repeat the id', async () => {
  const { collect, remember, api, send, list } = await open()
  const { id: collectionId } = await collect()
  const { id } = await remember(collectionId)
  const mismatch = api.memory.delete({ params: { id }, body: { collectionId, memoryId: 'mem_other' } })
  expect(await refusalOf(mismatch)).toMatchObject({ status: 400, field: 'memoryId' })
  const address = `/api/memory/${id}`
  expect(await send('DELETE', address)).toEqual({ status: 400, field: 'body' })
  expect(await send('DELETE', address, '{"collectionId":')).toEqual({ status: 400, field: 'body' })
  expect(await send('DELETE', address, '{}')).toEqual({ status: 400, field: 'collectionId' })
  expect(await send('DELETE', address, JSON.stringify({ collectionId, text: 'x' }))).toEqual({
    status: 400,
    field: 'text',
  })
  expect(await list(collectionId)).toMatchObject({ total: 1 })
  expect(await api.memory.delete({ params: { id }, body: { collectionId, memoryId: id } })).toEqual({
    id,
    deleted: true,
  })
})

const badTexts: readonly (readonly [text: string, rule: string])[] = [
  ['', 'must not be blank'],
  [' \n\t\u3000', 'must not be blank'],
  ['x'.repeat(10_001), 'must have at most 10000 characters'],
  ['half \udc00', 'must not contain half of a surrogate pair'],
]

test('rejects an invalid text and states the rule', async () => {
  const { collect, remember, list } = await open()
  const { id } = await collect()
  for (const [text, rule] of badTexts) {
    expect(await refusalOf(remember(id, text))).toMatchObject({
      status: 400,
      field: 'text',
      error: `"text" ${rule}.`,
    })
  }
  expect(await list(id)).toMatchObject({ total: 0 })
})

test('stores a text of the maximum length', async () => {
  const { collect, remember, list } = await open()
  const { id } = await collect()
  const text = '字'.repeat(10_000)
  await remember(id, text)
  expect((await list(id)).items[0]?.text).toBe(text)
})

test('pages by offset and by cursor list every memory once, newest first, with the exact total', async () => {
  const { collect, remember, api, clock } = await open()
  const { id: collectionId } = await collect()
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    clock.pass(2)
    ids.unshift((await remember(collectionId, `${n}`)).id)
  }
  const page = (query: object) => api.memory.list({ query: { collectionId, ...query } })
  const pages = await Promise.all([0, 2, 4, 5].map((offset) => page({ limit: 2, offset })))
  expect(pages.map(({ items }) => items.map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2, 4),
    ids.slice(4),
    [],
  ])
  expect(pages.map(({ total, hasMore }) => [total, hasMore])).toEqual([
    [5, true],
    [5, true],
    [5, false],
    [5, false],
  ])
  const next = await page({ limit: 3, cursor: pages[0]?.nextCursor })
  expect(next).toMatchObject({ items: ids.slice(2).map((id) => ({ id })), total: 5, hasMore: false })
  expect(await refusalOf(page({ cursor: 'mem_1', offset: 1 }))).toMatchObject({ status: 400, field: 'cursor' })
  for (const limit of [0, 201]) expect(await refusalOf(page({ limit }))).toMatchObject({ status: 400, field: 'limit' })
  expect(await statusOf(page({ limit: 200 }))).toBe(200)
  // Without a collection there is nothing to list.
  expect(await statusOf(page({ collectionId: undefined }))).toBe(400)
})

test('a repeated request with its Idempotency-Key creates one memory', async () => {
  const { collect, api, list } = await open()
  const { id: collectionId } = await collect()
  const create = () => api.memory.create({ body: { text: 'Once', collectionId }, idempotencyKey: 'once' })
  const made = await Promise.all([create(), create(), create()])
  expect(new Set([...made, await create()].map(({ id }) => id)).size).toBe(1)
  expect(await list(collectionId)).toMatchObject({ total: 1, items: [made[0]] })
})

test('one of several concurrent deletes succeeds, and the count drops by one', async () => {
  const { collect, remember, forget, list, get } = await open()
  const { id } = await collect()
  const [memory] = [await remember(id), await remember(id)]
  let waiting = 0
  let release = () => {}
  const allHaveRead = new Promise<void>((resolve) => {
    release = resolve
  })
  const answers = await watch(
    async ({ action }, run) => {
      if (action === 'TransactWriteItems') {
        waiting += 1
        if (waiting === 3) release()
        await allHaveRead
      }
      return run()
    },
    () => Promise.all([forget(memory), forget(memory), forget(memory)].map(statusOf)),
  )
  expect(answers.sort()).toEqual([200, 404, 404])
  expect((await list(id)).total).toBe(1)
  expect((await get(id)).memoryCount).toBe(1)
})

test('a memory added while its collection is deleted is rejected, or deleted with it', async () => {
  const { collect, remember, forget, drop, tracesOf, service } = await open()
  const [one, other] = [await collect(), await collect()]
  const late = await before(
    'memory-create',
    () => drop(one.id),
    () => refusalOf(remember(one.id)),
  )
  expect(late).toMatchObject({ status: 404, code: 'collection_not_found', field: 'collectionId' })
  const memory = await remember(other.id)
  const gone = await before(
    'memory-delete',
    () => drop(other.id),
    () => refusalOf(forget(memory)),
  )
  expect(gone).toMatchObject({ status: 404, code: 'collection_not_found', field: 'collectionId' })
  await service.pass(20 * 60_000, { tickMinutes: 5 })
  expect([...(await tracesOf(one.id)), ...(await tracesOf(other.id))]).toEqual([])
})
