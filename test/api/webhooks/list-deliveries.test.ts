import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSession } from '../../../shared/identity/open-session.ts'
import { dayMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { emit, makeHook, receivedBy } from '../../webhooks/hooks.ts'
import { refusalOf } from './refusal.ts'

let kit: Kit
let id: string
beforeAll(async () => {
  kit = await start()
  const hook = await makeHook(kit, 'hook', { events: ['post.scheduled', 'post.cancelled'] })
  id = hook.id
  await makeHook(kit, 'other')
  kit.inbox.behaviors.add({ name: 'hook', times: 1, status: 500 })
  const { id: postId } = await emit(kit)
  await kit.service.pass(7000)
  await kit.api.posts.cancel({ params: { id: postId } })
  await kit.service.drain()
  kit.inbox.behaviors.add({ name: 'hook', times: 1, status: 503 })
  await emit(kit)
  await kit.service.drain()
})
afterAll(() => kit.close())

const list = async (query: Record<string, string | number> = {}) =>
  kit.sessionApi.webhooks.listDeliveries({ params: { id }, query })
const attemptsOf = ({ items }: Awaited<ReturnType<typeof list>>) =>
  items.map(({ eventType, attempt, status }) => `${eventType} ${attempt} ${status}`)

const all = [
  'post.scheduled 2 pending',
  'post.scheduled 1 failed',
  'post.cancelled 1 succeeded',
  'post.scheduled 2 succeeded',
  'post.scheduled 1 failed',
]

test('each attempt is a complete row, newest first', async () => {
  const page = await list()
  expect(attemptsOf(page)).toEqual(all)
  expect(page).toMatchObject({ total: 5, totalIsExact: true, limit: 50, offset: 0, hasMore: false })
  const [pending, failed] = page.items
  expect(failed).toEqual({
    id: expect.stringMatching(/^dlv_[0-9A-Z]{30}$/),
    endpointId: id,
    eventId: expect.stringMatching(/^evt_\w{28}$/),
    eventType: 'post.scheduled',
    attempt: 1,
    cause: 'event',
    status: 'failed',
    nextAttemptAt: null,
    requestedAt: failed?.createdAt,
    durationMs: 0,
    httpStatus: 503,
    errorCode: 'http_status',
    responseSnippet: 'as told',
    createdAt: new Date(kit.clock.now()).toISOString(),
  })
  expect(pending).toEqual({
    ...failed,
    id: expect.not.stringMatching(failed?.id ?? ''),
    attempt: 2,
    status: 'pending',
    nextAttemptAt: expect.any(String),
    requestedAt: null,
    durationMs: null,
    httpStatus: null,
    errorCode: null,
    responseSnippet: null,
  })
})

test('filters by status, by type, and by both', async () => {
  expect(attemptsOf(await list({ status: 'failed' }))).toEqual(all.filter((attempt) => attempt.endsWith('failed')))
  expect(attemptsOf(await list({ eventType: 'post.cancelled' }))).toEqual(['post.cancelled 1 succeeded'])
  const both = await list({ status: 'succeeded', eventType: 'post.scheduled' })
  expect([attemptsOf(both), both.total]).toEqual([['post.scheduled 2 succeeded'], 1])
  expect(await list({ status: 'exhausted' })).toMatchObject({ items: [], total: 0, hasMore: false })
})

test('pages list every row once', async () => {
  const pages = await Promise.all([0, 2, 4, 5].map((offset) => list({ limit: 2, offset })))
  expect(pages.map(attemptsOf)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4), []])
  expect(pages.map(({ total, hasMore }) => [total, hasMore])).toEqual([
    [5, true],
    [5, true],
    [5, false],
    [5, false],
  ])
  const filtered = await list({ status: 'failed', limit: 1, offset: 1 })
  expect([filtered.items.length, filtered.total, filtered.hasMore]).toEqual([1, 2, false])
})

test('finds an event by its id and by its time', async () => {
  const [newest, , second] = (await list()).items
  const ids = async (query: Record<string, string>) => (await list(query)).items.map((item) => item.id)
  const idsOf = async (chosen: (item: { eventId: string }) => boolean) =>
    (await list()).items.filter(chosen).map((item) => item.id)
  const eventId = newest?.eventId ?? ''
  expect(await ids({ eventId })).toEqual(await idsOf((item) => item.eventId === eventId))
  expect(await ids({ eventId, status: 'failed' })).toHaveLength(1)
  expect(await ids({ eventId: 'evt_none' })).toEqual([])
  const cancelled = receivedBy(kit, 'hook').map(({ rawBody }) => JSON.parse(rawBody))
  const { createdAt: at } = cancelled.find((event) => event.id === second?.eventId)
  const moved = (ms: number) => new Date(Date.parse(at) + ms).toISOString()
  expect(await ids({ since: at, until: at })).toEqual([second?.id])
  expect(await ids({ since: moved(1) })).toEqual(await idsOf((item) => item.eventId === eventId))
  expect(await ids({ until: moved(-1) })).toHaveLength(2)
  expect(await ids({ since: '1960-01-01T00:00:00+23:59', until: '9999-12-31T23:59:59-23:59' })).toHaveLength(5)
  expect(await ids({ since: moved(2), until: moved(2) })).toEqual([])
  expect(await refusalOf(list({ since: moved(1), until: at }))).toMatchObject({ status: 400, field: 'until' })
})

test('following the cursors returns every attempt once with any filter', async () => {
  for (const filter of [{}, { status: 'failed' }, { eventType: 'post.scheduled' }, { since: '2030-01-01T00:00:00Z' }]) {
    const whole = attemptsOf(await list(filter))
    const walked: string[] = []
    let page = await list({ ...filter, limit: 2 })
    expect(page.total).toBe(whole.length)
    for (;;) {
      walked.push(...attemptsOf(page))
      expect(page.hasMore).toBe(page.nextCursor !== undefined)
      if (page.nextCursor === undefined) break
      page = await list({ ...filter, limit: 2, cursor: page.nextCursor })
    }
    expect(walked).toEqual(whole)
  }
  const cursor = (await list()).items[0]?.id ?? ''
  expect(await refusalOf(list({ cursor, offset: 1 }))).toMatchObject({ status: 400, field: 'cursor' })
  // Outside of the requested range.
  expect(await list({ cursor: `dlv_${'0'.repeat(30)}` })).toMatchObject({ items: [], hasMore: false })
  const since = new Date(kit.clock.now() + 1000).toISOString()
  expect(await list({ cursor, since })).toMatchObject({ items: [], hasMore: false })
})

test.each([
  ['limit', 0],
  ['limit', 201],
  ['offset', -1],
  ['offset', 4001],
  ['cursor', 'dlv_1'],
  ['since', '2030-01-01'],
  ['until', 'soon'],
  ['eventId', ''],
  ['status', 'lost'],
  ['eventType', 'post.unknown'],
  ['page', 2],
])('rejects %s=%s', async (field, value) => {
  expect(await refusalOf(list({ [field]: value }))).toMatchObject({ status: 400, field })
})

test('rows expire after 30 days', async () => {
  const { user, ctx } = kit
  const countAfter = async (ms: number) => {
    kit.clock.pass(ms)
    // Sessions live no longer than rows do.
    const person = { userId: user.id, email: user.email, name: user.name, userAgent: 'test' }
    const { token } = await openSession(ctx, person)
    return (await kit.sessionApi.webhooks.listDeliveries({ params: { id }, token })).total
  }
  expect(await countAfter(30 * dayMs - 20_000)).toBe(5)
  expect(await countAfter(30_000)).toBe(0)
})
