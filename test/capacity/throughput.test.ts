import { expect, test } from 'vitest'
import { throughputTable } from '../bench/throughput/table.ts'

const units = { writes: { table: 10, sweep: 4 }, partition: 5, counters: 2 }
const fixed = (max: number) => ({ batchSize: 10, first: max, perSecond: 5, max })
const limits = {
  platforms: { x: fixed(12), slack: fixed(6) },
  writeUnits: { table: 4_000, sweep: 1_000 },
}
const firstRow = (changed: Partial<typeof limits>) =>
  throughputTable(units, { default: { ...limits, ...changed } }).split('\n')[2]

test('each column is the time of its slowest part', () => {
  // 10,000 posts: 120 concurrently in 1.2 s; 5,000 on Slack at 60; 40,000 units of the index at 1,000; 40,000 of 16
  // shards; 50,000 of a partition.
  expect(firstRow({})).toBe('| 10,000, default | 1.7 min | 1.7 min | 40 s | 3 s | 50 s | 10 s |')
  expect(firstRow({ writeUnits: { table: 40_000, sweep: 10_000 } })).toContain('| 4 s | 3 s | 50 s |')
})

test('invocations grow to their limit, or to the share of the account', () => {
  const growing = { batchSize: 12, first: 0, perSecond: 5, max: 100 }
  // 10 posts a second for each: 10,000 after 20 s with 100, of which each has taken half of the time on average.
  expect(firstRow({ platforms: { ...limits.platforms, x: growing } })).toContain('default | 20 s | ')
  expect(firstRow({ platforms: { ...limits.platforms, x: { ...growing, max: 50 } } })).toContain('default | 25 s | ')
  const whole = { batchSize: 12, first: 5_000, perSecond: 5, max: 5_000 }
  // The account has 1,000 concurrent invocations.
  expect(firstRow({ platforms: { ...limits.platforms, x: whole } })).toContain('default | 1 s | ')
})
