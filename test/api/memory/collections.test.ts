import { expect, test } from 'vitest'
import { countsOf } from '../../../shared/db/counters.ts'
import { put, transact } from '../../../shared/db/table.ts'
import { ulid } from '../../../shared/ids.ts'
import { collections, colors } from '../../../shared/memory/collection.ts'
import { refusalOf, statusOf } from '../answers.ts'
import { type Notes, startMemoryService } from './notes.ts'

const { open, before } = startMemoryService()

test('a new collection is empty, and reading it returns the response of its creation', async () => {
  const { collect, get, user, clock } = await open()
  const createdAt = new Date(clock.now()).toISOString()
  const plain = await collect({ name: '  Shop talk ' })
  expect(plain).toEqual({
    id: expect.stringMatching(/^col_[0-9A-Z]{26}$/),
    name: 'Shop talk',
    color: null,
    isPrivate: false,
    memoryCount: 0,
    createdBy: user.id,
    createdAt,
    updatedAt: createdAt,
  })
  expect(await get(plain.id)).toEqual(plain)
  const made = await Promise.all(colors.map((color) => collect({ color, isPrivate: true })))
  expect(made.map(({ color, isPrivate }) => [color, isPrivate])).toEqual(colors.map((color) => [color, true]))
  expect((await collect({ color: null })).color).toBeNull()
})

test('an update changes only the given fields', async () => {
  const { collect, change, get, clock } = await open()
  const { id, createdAt } = await collect({ name: 'First', color: 'red' })
  clock.pass(5_000)
  const renamed = await change(id, { name: ' Second ' })
  expect(renamed).toMatchObject({ name: 'Second', color: 'red', isPrivate: false, createdAt })
  expect(Date.parse(renamed.updatedAt) - Date.parse(createdAt)).toBe(5_000)
  expect(await change(id, { color: null, isPrivate: true })).toMatchObject({ name: 'Second', color: null })
  expect(await get(id)).toMatchObject({ name: 'Second', color: null, isPrivate: true, updatedAt: renamed.updatedAt })
  clock.pass(5_000)
  expect(await change(id, {})).toEqual(await get(id))
  expect((await get(id)).updatedAt).toBe(renamed.updatedAt)
})

test('concurrent updates of different fields are all preserved while memories are added', async () => {
  const { collect, change, get, remember } = await open()
  const { id } = await collect()
  const changes = [{ name: 'New' }, { color: 'pink' }, { isPrivate: true }] as const
  await Promise.all([...changes.map((fields) => change(id, fields)), remember(id), remember(id)])
  expect(await get(id)).toMatchObject({ name: 'New', color: 'pink', isPrivate: true, memoryCount: 2 })
})

test('any member can update and delete a shared collection', async () => {
  const { collect, change, drop, get, join } = await open()
  const { id } = await collect()
  const other = await join()
  expect(await change(id, { name: 'Theirs', isPrivate: false }, other.api)).toMatchObject({ name: 'Theirs' })
  expect(await drop(id, other.api)).toEqual({ id, deleted: true })
  expect(await refusalOf(get(id))).toMatchObject({ status: 404, code: 'collection_not_found', field: 'id' })
})

test('a deleted collection disappears from every route immediately', async () => {
  const { collect, remember, drop, get, change, list, forget, api } = await open()
  const { id } = await collect()
  const memory = await remember(id)
  await drop(id)
  const attempts = [get(id), change(id, { name: 'x' }), drop(id), list(id), remember(id), forget(memory)]
  expect(await Promise.all(attempts.map(statusOf))).toEqual([404, 404, 404, 404, 404, 404])
  expect(await api.memory.listCollections()).toMatchObject({ items: [], total: 0 })
})

test.each(['update', 'delete'])('a concurrent %s of a deleted collection returns 404', async (verb) => {
  const { collect, change, drop, get } = await open()
  const { id } = await collect()
  const late = () => (verb === 'update' ? change(id, { name: 'Late' }) : drop(id))
  const answer = await before(
    `memory-${verb}-collection`,
    () => drop(id),
    () => refusalOf(late()),
  )
  expect(answer).toMatchObject({ status: 404, code: 'collection_not_found' })
  expect(await statusOf(get(id))).toBe(404)
})

test('pages by offset and by cursor list every collection once, newest first', async () => {
  const { collect, api, clock } = await open()
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    clock.pass(2)
    ids.unshift((await collect({ name: `${n}` })).id)
  }
  const { listCollections } = api.memory
  const pages = await Promise.all([0, 2, 4, 5].map((offset) => listCollections({ query: { limit: 2, offset } })))
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
  const walked: string[] = []
  let cursor: string | undefined
  do {
    const page = await listCollections({ query: { limit: 2, ...(cursor ? { cursor } : {}) } })
    expect(page.total).toBe(5)
    walked.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor)
  expect(walked).toEqual(ids)
  expect(await refusalOf(listCollections({ query: { cursor: 'col_1', offset: 1 } }))).toMatchObject({ field: 'cursor' })
})

const badBodies: readonly (readonly [body: object, field: string])[] = [
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: '  ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'half \ud800' }, 'name'],
  [{ name: 'a', color: 'a name of a color that nobody knows' }, 'color'],
  [{ name: 'a', isPrivate: 'yes' }, 'isPrivate'],
  [{ name: 'a', createdBy: 'me' }, 'createdBy'],
]

test('rejects an invalid body and names the field', async () => {
  const { send, collect, api } = await open()
  const { id } = await collect()
  const refusals = (method: string, path: string, bodies: typeof badBodies) =>
    Promise.all(bodies.map(async ([body]) => [body, (await send(method, path, JSON.stringify(body))).field]))
  expect(await refusals('POST', '/api/memory/collections', badBodies)).toEqual(badBodies)
  expect(await send('POST', '/api/memory/collections', '{"name":"a","color":"black"}')).toMatchObject({
    field: 'color',
  })
  // A change may leave everything out.
  const changes = badBodies.slice(1)
  expect(await refusals('PATCH', `/api/memory/collections/${id}`, changes)).toEqual(changes)
  expect(await api.memory.listCollections()).toMatchObject({ total: 1, items: [{ id, name: 'Notes' }] })
})

/** Hundreds of collections, written directly: the same rows and counts as through the API. */
const fill = async ({ ctx, workspaceId, user }: Notes, count: number) => {
  const createdAt = new Date(ctx.clock.now()).toISOString()
  const row = { workspaceId, name: 'Full', color: null, isPrivate: false, createdBy: user.id, memoryCount: 0 }
  const rows = Array.from({ length: count }, () => {
    const id = `col_${ulid(ctx.clock.now())}`
    return { put: collections.item({ ...row, id, createdAt, updatedAt: createdAt }) }
  })
  for (let from = 0; from < count; from += 100) await transact(ctx, () => rows.slice(from, from + 100))
  await put(ctx, { PK: countsOf(workspaceId, 'COLLECTION'), SK: '0', taken: count })
}

test('a workspace holds at most 200 collections, even when they are created concurrently', async () => {
  const notes = await open()
  const { collect, drop, api } = notes
  await fill(notes, 190)
  const answers = await Promise.all(Array.from({ length: 20 }, () => statusOf(collect())))
  expect(answers.filter((status) => status === 200)).toHaveLength(10)
  expect(await refusalOf(collect())).toMatchObject({ status: 400, code: 'collection_limit' })
  const { items, total } = await api.memory.listCollections({ query: { limit: 200 } })
  expect([items.length, total]).toEqual([200, 200])
  await drop(items[7]?.id ?? '')
  // The same call requests the last free collection three times: the response is the same, not a refusal.
  const last = () => api.memory.createCollection({ body: { name: 'Last' }, idempotencyKey: 'last' })
  const made = await Promise.all([last(), last(), last()])
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  expect(await statusOf(collect())).toBe(400)
})
