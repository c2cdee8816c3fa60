import { expect, test } from 'vitest'
import { type Harness, serveHarnesses } from './harness.ts'

const harnesses = serveHarnesses()

const fill = async (harness: Harness, count: number) => {
  const ids: string[] = []
  // One after the other, so that their order is known.
  for (let n = 0; n < count; n += 1) {
    harness.clock.pass(2)
    ids.unshift((await harness.make({ content: `draft ${n}` })).id)
  }
  return ids
}

test('a workspace without drafts returns an empty page', async () => {
  const { api } = await harnesses.open()
  expect(await api.drafts.list()).toEqual({ items: [], total: 0, limit: 50, offset: 0, hasMore: false })
})

test('lists drafts by creation time, newest first, by offset and by cursor', async () => {
  const harness = await harnesses.open()
  const ids = await fill(harness, 5)
  await harness.patch(ids[4] ?? '', { content: 'changed last' })
  const idsOf = async (query: Record<string, number | string>) =>
    (await harness.api.drafts.list({ query })).items.map(({ id }) => id)
  expect(await idsOf({})).toEqual(ids)
  expect(await idsOf({ limit: 2, offset: 2 })).toEqual(ids.slice(2, 4))
  expect(await harness.api.drafts.list({ query: { limit: 2, offset: 3 } })).toMatchObject({ total: 5, hasMore: false })
  const first = await harness.api.drafts.list({ query: { limit: 2 } })
  expect(first).toMatchObject({ total: 5, hasMore: true, nextCursor: ids[1] })
  // The page behind a row is the same when the row has gone.
  await harness.remove(ids[1] ?? '')
  const second = await harness.api.drafts.list({ query: { limit: 2, cursor: ids[1] ?? '' } })
  expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2, 4))
  expect(second).toMatchObject({ total: 4, hasMore: true, nextCursor: ids[3] })
  expect(await harness.api.drafts.list({ query: { cursor: ids[4] ?? '' } })).toMatchObject({
    items: [],
    hasMore: false,
  })
})

test('truncates a long draft in the list and marks it', async () => {
  const harness = await harnesses.open()
  const short = await harness.make({ content: 'x'.repeat(19_000), platformContent: { x: 'short' } })
  harness.clock.pass(2)
  const long = await harness.make({
    content: `${'y'.repeat(999)}😀${'z'.repeat(20_000)}`,
    name: 'Long',
    selectedPlatforms: ['x'],
    platformContent: { x: 'short' },
    metadata: { slack: { channelId: 'C1' } },
  })
  const { items } = await harness.api.drafts.list()
  const cut = { content: 'y'.repeat(999), platformContent: {}, platformMedia: {}, metadata: {}, truncated: true }
  expect(items).toEqual([{ ...long, ...cut }, short])
})

test('a page of two hundred drafts of the maximum size fits in a Lambda response', async () => {
  const harness = await harnesses.open()
  // Each letter takes two bytes in JSON.
  const body = {
    content: '"'.repeat(1000),
    name: '"'.repeat(200),
    platformContent: { x: '"'.repeat(2000) },
  }
  const bodies = Array.from({ length: 20 }, () => harness.make({ ...body, mediaUrls: [] }))
  await Promise.all(bodies)
  const answer = await harness.api.$raw('GET', '/api/drafts?limit=200')
  const bytes = (await answer.text()).length
  expect(bytes).toBeGreaterThan(20 * 6_000)
  expect(bytes).toBeLessThan(20 * 8_500)
})

test.each([
  'limit=0',
  'limit=201',
  'offset=-1',
  'cursor=a%23b',
  'cursor=drf_1',
  'status=x',
])('rejects %s', async (query) => {
  const { raw } = harnesses.share()
  expect((await raw('GET', `?${query}`)).status).toBe(400)
})

test('cursor and offset are mutually exclusive', async () => {
  const { raw } = harnesses.share()
  const refused = await raw('GET', `?cursor=drf_${'0'.repeat(26)}&offset=1`)
  expect(refused).toMatchObject({
    status: 400,
    body: { field: 'cursor', error: expect.stringContaining('cannot be combined') },
  })
})
