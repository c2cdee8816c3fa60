import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '../../shared/db/table.ts'
import { expiryOf } from '../../shared/events/outbox.ts'
import { ulid } from '../../shared/ids.ts'
import { type Delivery, deliveries, pendingDelivery } from '../../shared/webhooks/deliveries/lifecycle/row.ts'
import { type Kit, start } from '../support/start.ts'
import { makeStepRecorder } from '../support/world/round-trips.ts'
import { makeHook } from './hooks.ts'

const recorder = makeStepRecorder()
const rows = 2400
let kit: Kit
let id: string
/** Newest first; of the older half every 100th has failed, and the two oldest have expired. */
let all: readonly Delivery[]

beforeAll(async () => {
  kit = await start({ observe: recorder.observe })
  const { ctx, clock, workspaceId } = kit
  id = (await makeHook(kit, 'hook')).id
  const ttl = expiryOf(ctx)
  const made = Array.from({ length: rows }, (_, n): Delivery => {
    const atMs = clock.now() - (rows - n) * 1000
    const of = { workspaceId, endpointId: id, outboxId: ulid(atMs), eventIndex: 0, eventId: `evt_${n}`, ttl }
    const planned = {
      ...of,
      eventType: 'post.scheduled',
      attempt: 1,
      step: 1,
      firstAtMs: atMs,
      cause: 'event',
    } as const
    const row = pendingDelivery(planned, atMs, atMs)
    return {
      ...row,
      status: n % 100 === 50 && n < rows / 2 ? 'failed' : 'succeeded',
      ...(n < 2 ? { ttl: clock.now() / 1000 } : {}),
    }
  })
  for (let from = 0; from < rows; from += 100) {
    const writes = made.slice(from, from + 100).map((row) => ({ put: deliveries.item(row) }))
    await transact(ctx, () => writes)
  }
  all = made.toReversed()
}, 60_000)
afterAll(() => kit.close())

const list = (query: Record<string, string | number>) =>
  kit.sessionApi.webhooks.listDeliveries({ params: { id }, query })

/** The number of queries for a page. */
const queriesFor = async (query: Record<string, string | number>) => {
  const steps = await recorder.during(() => list(query))
  return steps.filter(({ action }) => action === 'Query').length
}

test('a page costs one query at any cursor and says whether its total is exact', async () => {
  expect(await list({ limit: 10 })).toMatchObject({ total: 202, totalIsExact: false, hasMore: true })
  for (const index of [0, 1000, rows - 20]) {
    expect(await queriesFor({ limit: 10, cursor: all[index]?.id ?? '' })).toBe(1)
  }
  expect(await queriesFor({ limit: 200 })).toBe(1)
})

test('cursors list the whole log, each row once, without expired rows', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await list({ limit: 200, ...(cursor ? { cursor } : {}) })
    seen.push(...page.items.map((item) => item.id))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(seen).toEqual(all.slice(0, -2).map((row) => row.id))
})

test('a selective filter reads a bounded number of rows per page and finds all matches', async () => {
  const expected = all.filter(({ status, ttl }) => status === 'failed' && ttl > kit.clock.now() / 1000)
  const seen: string[] = []
  let [cursor, pages]: [string | undefined, number] = [undefined, 0]
  do {
    const query = { status: 'failed', limit: 200, ...(cursor ? { cursor } : {}) }
    expect(await queriesFor(query)).toBeLessThanOrEqual(2)
    const page = await list(query)
    seen.push(...page.items.map((item) => item.id))
    cursor = page.nextCursor
    pages += 1
  } while (cursor !== undefined)
  expect(expected.length).toBe(12)
  expect(seen).toEqual(expected.map((row) => row.id))
  // Nothing of it is among the newest thousand.
  expect(await list({ status: 'failed' })).toMatchObject({ items: [], total: 0, totalIsExact: false, hasMore: true })
  expect(pages).toBe(3)
})

test('an offset skips that many rows, up to its maximum', async () => {
  for (const offset of [0, 199, 200, 201, 1999, rows - 3, rows]) {
    const { items, hasMore } = await list({ offset, limit: 2 })
    expect(items.map((item) => item.id)).toEqual(
      all
        .slice(0, -2)
        .slice(offset, offset + 2)
        .map((row) => row.id),
    )
    expect(hasMore).toBe(offset + 2 < rows - 2)
  }
  const failed = all.filter(({ status }) => status === 'failed')
  const { items } = await list({ offset: 10, limit: 1, status: 'failed' })
  expect(items[0]?.id).toBe(failed[10]?.id)
})
