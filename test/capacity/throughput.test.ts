import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guide, withThroughput } from '../bench/throughput/guide.ts'
import { makeThroughput } from '../bench/throughput/make.ts'
import { throughputTable } from '../bench/throughput/table.ts'

test('the throughput in the deployment guide is what its command prints', async () => {
  const text = readFileSync(guide, 'utf8')
  // If this fails: node test/bench/throughput.ts --write
  expect(text).toBe(withThroughput(text, await makeThroughput()))
})

const units = { writes: { table: 10, sweep: 4 }, partition: 5 }
const limits = { postsAtOnce: { x: 120, slack: 60 }, writeUnits: { table: 4_000, sweep: 1_000 } }

test('each column is the time of its slowest part', () => {
  const rows = throughputTable(units, { default: limits }).split('\n')
  // 10,000 posts: 120 at once in 1.2 s; 5,000 on Slack at 60; 40,000 units of the index at 1,000; 50,000 of a partition.
  expect(rows[2]).toBe('| 10,000, default | 1.7 min | 1.7 min | 40 s | 50 s | 10 s |')
  const faster = { ...limits, writeUnits: { table: 40_000, sweep: 10_000 } }
  expect(throughputTable(units, { raised: faster }).split('\n')[2]).toContain('| 4 s | 50 s |')
})
