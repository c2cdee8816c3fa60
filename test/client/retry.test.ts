import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pagesOf } from '../../infra/clients/javascript/src/create-client.ts'
import { defaultRetries, delayBefore, retryAfterMs } from '../../infra/clients/javascript/src/retry.ts'

const policies = fc.record({
  maxRetries: fc.integer({ min: 0, max: 10 }),
  baseMs: fc.integer({ min: 1, max: 5_000 }),
  maxMs: fc.integer({ min: 1, max: 60_000 }),
  maxRetryAfterMs: fc.integer({ min: 0, max: 120_000 }),
})
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('a delay is at least half of the exponential one, never longer than the longest, and ends with the retries', () => {
  fc.assert(
    fc.property(policies, fc.integer({ min: 1, max: 40 }), random, (policy, retry, chance) => {
      const delay = delayBefore(retry, policy, null, chance)
      if (retry > policy.maxRetries) {
        expect(delay).toBeNull()
        return
      }
      const full = Math.min(policy.maxMs, policy.baseMs * 2 ** (retry - 1))
      expect(delay).toBeGreaterThanOrEqual(full / 2)
      expect(delay).toBeLessThanOrEqual(full)
    }),
  )
})

test('Retry-After is never undercut, and a longer one than the policy waits for ends the retries', () => {
  fc.assert(
    fc.property(policies, fc.integer({ min: 0, max: 200_000 }), random, (policy, after, chance) => {
      const delay = delayBefore(1, { ...policy, maxRetries: 1 }, after, chance)
      if (after > policy.maxRetryAfterMs) {
        expect(delay).toBeNull()
        return
      }
      expect(delay).toBeGreaterThanOrEqual(after)
      expect(delay).toBeLessThanOrEqual(after + policy.maxMs)
    }),
  )
})

test('clients that fail together come back apart', () => {
  const delays = [0, 0.25, 0.5, 0.75].map((chance) => delayBefore(2, defaultRetries, null, chance))
  expect(delays).toEqual([500, 625, 750, 875])
})

test('Retry-After is seconds or a date; anything else is none', () => {
  const now = Date.UTC(2030, 0, 1)
  expect(retryAfterMs('7', now)).toBe(7_000)
  expect(retryAfterMs(new Date(now + 5_000).toUTCString(), now)).toBe(5_000)
  expect(retryAfterMs(new Date(now - 5_000).toUTCString(), now)).toBe(0)
  for (const header of [null, '', 'soon', 'NaN']) expect(retryAfterMs(header, now)).toBeNull()
})

const all = async (length: number, pageSize: number, cursors: boolean, query: Record<string, unknown>) => {
  const ids: number[] = []
  let reads = 0
  const read = async ({ cursor, offset = 0, ...rest }: Readonly<Record<string, unknown>>) => {
    reads += 1
    expect(rest).toEqual(query)
    const from = Number(cursor ?? offset)
    const items = Array.from({ length: Math.min(pageSize, length - from) }, (_, at) => from + at)
    const next = from + items.length
    return { items, hasMore: next < length, ...(cursors ? { nextCursor: String(next) } : { offset: from }) }
  }
  for await (const { items } of pagesOf(read, query)) ids.push(...(items as number[]))
  return { ids, reads }
}

test('a list of any length yields each item once, in order, by cursor or by offset', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 9 }), fc.boolean(), async (length, pageSize, cursors) => {
      const { ids, reads } = await all(length, pageSize, cursors, { limit: pageSize, status: 'scheduled' })
      expect(ids).toEqual(Array.from({ length }, (_, at) => at))
      expect(reads).toBe(Math.max(1, Math.ceil(length / pageSize)))
    }),
  )
})

test('an empty page may continue, but a list that does not move on ends', async () => {
  const pages = [
    { items: [], hasMore: true, nextCursor: 'b' },
    { items: [1], hasMore: true, nextCursor: 'c' },
    { items: [], hasMore: true, nextCursor: 'c' },
  ]
  const seen: unknown[] = []
  for await (const page of pagesOf(async () => pages[seen.length], {})) seen.push(page)
  expect(seen).toEqual(pages)
  const stuck: unknown[] = []
  for await (const page of pagesOf(async () => ({ items: [], hasMore: true }), {})) stuck.push(page)
  expect(stuck).toHaveLength(1)
})
