import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeMember } from '../../support/world/preparations.ts'

let kit: Kit

beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const collect = async (name: string, texts: readonly string[], isPrivate = false) => {
  const { id } = await kit.api.memory.createCollection({ body: { name, isPrivate, color: 'teal' } })
  const memories: { id: string; text: string }[] = []
  for (const text of texts) {
    memories.push(await kit.api.memory.create({ body: { text, collectionId: id } }))
    kit.clock.pass(5)
  }
  return { id, memories }
}

test('finds a new memory immediately, with its score, collection, and highlighted passage', async () => {
  const { id, memories } = await collect('Bakery', [
    'The oven is cleaned every Friday evening by the late shift.',
    'Customers often ask whether our sourdough bread is baked on the day. We answer: yes, at four in the morning.',
    'Deliveries to hotels leave at half past five.',
  ])
  const answer = await kit.api.memory.search({ body: { prompt: 'When do you bake the bread?', collectionIds: [id] } })
  expect(answer.hits).toHaveLength(1)
  const [hit] = answer.hits
  expect(hit?.memory).toMatchObject({ id: memories[1]?.id, collectionId: id })
  expect(hit?.collection).toEqual({ id, name: 'Bakery', color: 'teal' })
  expect(hit?.score).toBeGreaterThan(0.2)
  const passage = hit?.passage
  expect(passage?.highlights.map(({ start: from, end }) => passage.text.slice(from, end))).toEqual(['bread', 'baked'])
})

test('finds a memory whose collection has any color that a change accepts', async () => {
  const { id, memories } = await collect('Painted', ['The apricot jam is cooked in August.'])
  for (const color of ['#aabbcc', 'lime', null]) {
    await kit.api.memory.updateCollection({ params: { id }, body: { color } })
    const { hits } = await kit.api.memory.search({ body: { prompt: 'apricot', collectionIds: [id] } })
    expect(hits).toMatchObject([{ memory: { id: memories[0]?.id }, collection: { color } }])
  }
})

const texts = Array.from({ length: 7 }, (_, n) => `Plum cake, recipe number ${n}`)

test('returns five results by default, and from one to twenty on request', async () => {
  const { id } = await collect('Plums', texts)
  const count = async (topK?: number) => {
    const body = { prompt: 'plum cake', collectionIds: [id], ...(topK === undefined ? {} : { topK }) }
    return (await kit.api.memory.search({ body })).hits.length
  }
  expect(await count()).toBe(5)
  expect(await count(1)).toBe(1)
  expect(await count(20)).toBe(7)
})

const search = (body: unknown, token = kit.pat) =>
  fetch(`${kit.url}/api/memory/search`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Workspace-Id': kit.workspaceId,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })

const refusal = async (answer: Response) => {
  const { code, field } = (await answer.json()) as { code?: string; field?: string }
  return { status: answer.status, code, field }
}

test.each([
  [{ prompt: ' ' }, 'prompt'],
  [{ prompt: 'x'.repeat(2001) }, 'prompt'],
  [{ prompt: '\ud800' }, 'prompt'],
  [{ prompt: undefined }, 'prompt'],
  [{ collectionIds: [] }, 'collectionIds'],
  [{ collectionIds: Array.from({ length: 11 }, (_, n) => `col_${n}`) }, 'collectionIds'],
  [{ topK: 0 }, 'topK'],
  [{ topK: 21 }, 'topK'],
  [{ topK: 2.5 }, 'topK'],
  [{ limit: 5 }, 'limit'],
])('rejects %j and names the field', async (change, field) => {
  const answer = await search({ prompt: 'cake', collectionIds: ['col_1'], ...change })
  expect(await refusal(answer)).toEqual({ status: 400, code: 'invalid_input', field })
})

test('a collection that is private to someone else, deleted, or in another workspace does not exist', async () => {
  const own = await collect('Own', texts)
  const hidden = await collect('Hidden', texts, true)
  const gone = await collect('Gone', texts)
  await kit.api.memory.deleteCollection({ params: { id: gone.id } })
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name: 'Other', timezone: 'UTC' } })
  const other = client({ baseUrl: kit.url, workspaceId, token: kit.sessionToken })
  const foreign = await other.memory.createCollection({ body: { name: 'Foreign' } })
  const { session } = await makeMember(kit, 'admin')
  for (const [id, token] of [
    [hidden.id, session],
    [gone.id, kit.pat],
    [foreign.id, kit.pat],
    ['col_nobody', kit.pat],
  ] as const) {
    const answer = await search({ prompt: 'plum', collectionIds: [own.id, id] }, token)
    const text = await answer.clone().text()
    expect(await refusal(answer)).toEqual({ status: 404, code: 'collection_not_found', field: 'collectionIds' })
    expect(text).toContain(id)
  }
  const mine = await kit.api.memory.search({ body: { prompt: 'plum', collectionIds: [hidden.id] } })
  expect(mine.hits).toHaveLength(5)
})

test('answers a prompt of two thousand characters and one without words', async () => {
  const { id } = await collect('Long', ['A short story about a very long prompt'])
  const long = `story ${'zxqv '.repeat(398)}`.slice(0, 2000)
  expect((await kit.api.memory.search({ body: { prompt: long, collectionIds: [id] } })).hits).toHaveLength(1)
  expect((await kit.api.memory.search({ body: { prompt: '!? …', collectionIds: [id] } })).hits).toEqual([])
})
