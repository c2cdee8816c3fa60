import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { put } from '../../../shared/db/table.ts'
import { makeEvent } from '../../../shared/events/event.ts'
import { expiryOf, outbox } from '../../../shared/events/outbox.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { ulid } from '../../../shared/ids.ts'
import { dayMs } from '../../../shared/time.ts'
import { scheduleBoth } from '../../journeys/author.ts'
import { firstEvent } from '../../support/first-event.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeWorkspace } from '../../support/world/preparations.ts'
import { emit, makeHook, receivedBy } from '../../webhooks/hooks.ts'
import { refusalOf } from './refusal.ts'

const visibilityDelayMs = 90_000

let kit: Kit
/** The ids of all events so far, in emission order. */
const emittedIds: string[] = []

const list = (query: Record<string, string | number> = {}) => kit.sessionApi.webhooks.listEventLog({ query })
const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)

beforeAll(async () => {
  kit = await start()
  await makeHook(kit, 'all', { events: ['post.scheduled', 'post.cancelled'] })
  for (let n = 0; n < 3; n += 1) {
    const { id } = await emit(kit)
    await kit.service.drain()
    kit.clock.pass(10)
    // Both accounts in one transaction: two events in one row.
    await scheduleBoth(kit, `Round ${n}`, 365 * dayMs)
    await kit.service.drain()
    kit.clock.pass(10)
    await kit.api.posts.cancel({ params: { id } })
    await kit.service.drain()
    kit.clock.pass(10)
  }
  await kit.sessionApi.webhooks.sendTest({ params: { id: (await kit.sessionApi.webhooks.list())[0]?.id ?? '' } })
  await kit.service.drain()
  kit.clock.pass(visibilityDelayMs)
  const events = receivedBy(kit, 'all').map(({ rawBody }) => JSON.parse(rawBody))
  emittedIds.push(...events.filter(({ data }) => data.test !== true).map(({ id }) => id))
})
afterAll(() => kit.close())

test('the log lists every event once in its delivered envelope, without test events', async () => {
  const page = await list()
  expect(page).toMatchObject({ hasMore: false, nextCursor: expect.stringMatching(/^[0-9A-Z]{28}$/) })
  expect(new Set(idsOf(page))).toEqual(new Set(emittedIds))
  expect(idsOf(page)).toHaveLength(12)
  const delivered = receivedBy(kit, 'all').map(({ rawBody }) => JSON.parse(rawBody))
  for (const event of page.items) expect(delivered).toContainEqual(event)
  const moments = page.items.map(({ createdAt }) => createdAt)
  expect(moments).toEqual([...moments].sort())
})

test.each([1, 2, 5, 12])('pages of %i by cursor list every event once, in order', async (limit) => {
  const all = idsOf(await list())
  const seen: string[] = []
  let cursor: string | null = null
  for (;;) {
    const page = await list({ limit, ...(cursor === null ? {} : { cursor }) })
    seen.push(...idsOf(page))
    expect(page.items.length).toBeLessThanOrEqual(limit)
    cursor = page.nextCursor
    if (!page.hasMore) break
    expect(page.items).toHaveLength(limit)
  }
  expect(seen).toEqual(all)
  expect(await list({ cursor: cursor ?? '' })).toEqual({ items: [], hasMore: false, nextCursor: cursor })
})

test('reading after an event returns the events recorded after it', async () => {
  const all = idsOf(await list())
  for (const [n, after] of all.entries()) expect(idsOf(await list({ after }))).toEqual(all.slice(n + 1))
  const [, second = ''] = all
  const page = await list({ after: second, limit: 3 })
  expect([idsOf(page), page.hasMore]).toEqual([all.slice(2, 5), true])
  expect(idsOf(await list({ cursor: page.nextCursor ?? '' }))).toEqual(all.slice(5))
})

test('filters by type, and the cursor also moves past events that do not match', async () => {
  const { items } = await list()
  const cancelled = idsOf({ items: items.filter(({ type }) => type === 'post.cancelled') })
  expect(cancelled).toHaveLength(3)
  expect(idsOf(await list({ types: 'post.cancelled' }))).toEqual(cancelled)
  const first = await list({ types: 'post.cancelled', limit: 2 })
  expect([idsOf(first), first.hasMore]).toEqual([cancelled.slice(0, 2), true])
  const rest = await list({ types: 'post.cancelled', limit: 2, cursor: first.nextCursor ?? '' })
  expect([idsOf(rest), rest.hasMore]).toEqual([cancelled.slice(2), false])
  expect(idsOf(await list({ types: 'post.cancelled,post.scheduled' }))).toEqual(idsOf({ items }))
  const none = await list({ types: 'post.published', limit: 1 })
  expect(none).toMatchObject({ items: [], hasMore: false, nextCursor: expect.any(String) })
  expect(idsOf(await list({ cursor: none.nextCursor ?? '' }))).toEqual([])
})

test('filters by whose account it is now, about the account and its posts; the cursor moves past the others', async () => {
  const [account] = await kit.api.socialAccounts.list({})
  const id = account?.id ?? ''
  await kit.api.socialAccounts.update({ params: { id }, body: { externalId: 'customer-42' } })
  const { items, nextCursor: end } = await list()
  const own = idsOf({ items: items.filter(({ data }) => data['socialAccountId'] === id) })
  expect([own.length > 2, own.length < items.length]).toEqual([true, true])
  const query = { accountExternalId: 'customer-42' }
  expect(idsOf(await list(query))).toEqual(own)
  const first = await list({ ...query, limit: 2 })
  expect([idsOf(first), first.hasMore]).toEqual([own.slice(0, 2), true])
  const rest = await list({ ...query, cursor: first.nextCursor ?? '' })
  expect([idsOf(rest), rest.hasMore, rest.nextCursor]).toEqual([own.slice(2), false, end])
  expect(await list({ accountExternalId: 'customer-4' })).toEqual({ items: [], hasMore: false, nextCursor: end })
  expect(idsOf(await list({ ...query, types: 'post.cancelled' })).every((event) => own.includes(event))).toBe(true)
  // Another workspace with the same ID of a customer.
  const { id: workspaceId } = await makeWorkspace(kit)
  const other = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId }).webhooks
  expect((await other.listEventLog({ query })).items).toEqual([])
  await kit.api.socialAccounts.update({ params: { id }, body: { externalId: null } })
  expect((await list(query)).items).toEqual([])
})

test.each<[Record<string, string | number>, string]>([
  [{ accountExternalId: '' }, 'accountExternalId'],
  [{ accountExternalId: 'c'.repeat(201) }, 'accountExternalId'],
  [{ limit: 0 }, 'limit'],
  [{ limit: 201 }, 'limit'],
  [{ limit: 'all' }, 'limit'],
  [{ offset: 0 }, 'offset'],
  [{ cursor: 'evt_1' }, 'cursor'],
  [{ cursor: `${ulid(0)}0u` }, 'cursor'],
  [{ cursor: '' }, 'cursor'],
  [{ after: 'a b' }, 'after'],
  [{ types: '' }, 'types.0'],
  [{ types: 'post.published,post.unknown' }, 'types.1'],
])('rejects %j', async (query, field) => {
  expect(await refusalOf(list(query))).toMatchObject({ status: 400, field })
})

test('rejects an id together with a cursor, and an id without an event', async () => {
  const [id = ''] = emittedIds
  const { nextCursor } = await list()
  expect(await refusalOf(list({ after: id, cursor: nextCursor ?? '' }))).toMatchObject({ status: 400, field: 'after' })
  const unknown = await refusalOf(list({ after: 'evt_nobody' }))
  expect(unknown).toMatchObject({ status: 404, code: 'event_not_found', field: 'after' })
  expect(unknown['error']).toMatch(/ "cursor", or neither /)
})

test('a workspace reads its own events and cannot find others by id', async () => {
  const { id: workspaceId } = await makeWorkspace(kit)
  const other = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId }).webhooks
  expect(await other.listEventLog({ query: {} })).toEqual({ items: [], hasMore: false, nextCursor: null })
  const [after = ''] = emittedIds
  expect(await refusalOf(other.listEventLog({ query: { after } }))).toMatchObject({ status: 404 })
  const { nextCursor } = await list({ limit: 1 })
  expect((await other.listEventLog({ query: { cursor: nextCursor ?? '' } })).items).toEqual([])
})

test('withholds the last 90 seconds', async () => {
  const { nextCursor } = await list()
  const cursor = nextCursor ?? ''
  await emit(kit)
  await kit.service.drain()
  kit.clock.pass(visibilityDelayMs - 1)
  expect(await list({ cursor })).toMatchObject({ items: [], hasMore: false })
  kit.clock.pass(2)
  expect((await list({ cursor })).items).toMatchObject([{ type: 'post.scheduled' }])
})

test('hides expired events that the table has not deleted yet', async () => {
  const now = kit.clock.now()
  const { nextCursor } = await list()
  const workspace = { id: kit.workspaceId, name: 'Acme', slug: 'acme' }
  const lay = async (atMs: number, shownForMs: number) => {
    const id = ulid(atMs)
    const event = makeEvent('post.cancelled', workspace, now, firstEvent(id), {})
    const ttl = expiryOf(kit.ctx) + Math.floor((shownForMs - 30 * dayMs) / 1000)
    await put(kit.ctx, outbox.item({ id, workspaceId: kit.workspaceId, events: [event], ttl }))
    return event
  }
  await lay(now, 60_000)
  const stays = await lay(now + 1, dayMs)
  kit.clock.pass(visibilityDelayMs + 10)
  expect(idsOf(await list({ cursor: nextCursor ?? '' }))).toEqual([stays.id])
})

test('after 30 days an event cannot be read, and its id is rejected so that the gap is visible', async () => {
  const { user, ctx } = kit
  const { items, nextCursor } = await list({ limit: 1 })
  const [first] = idsOf({ items })
  const cursor = nextCursor ?? ''
  const { id } = await emit(kit)
  await kit.service.drain()
  kit.clock.pass(30 * dayMs - 1000)
  // Sessions live no longer than events do.
  const { token } = await openSession(ctx, { userId: user.id, email: user.email, name: user.name, userAgent: 'test' })
  const later = (query: Record<string, string>) => kit.sessionApi.webhooks.listEventLog({ query, token })
  expect((await later({})).items).toMatchObject([{ data: { postId: id } }])
  expect((await later({ cursor })).items).toMatchObject([{ data: { postId: id } }])
  expect(await refusalOf(later({ after: first ?? '' }))).toMatchObject({ status: 404, code: 'event_not_found' })
  kit.clock.pass(2000)
  expect(await later({})).toEqual({ items: [], hasMore: false, nextCursor: null })
})
