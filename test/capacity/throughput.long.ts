import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guide, withThroughput } from '../bench/throughput/guide.ts'
import { makeThroughput } from '../bench/throughput/make.ts'

test('the throughput in the deployment guide is what its command prints', async () => {
  const text = readFileSync(guide, 'utf8')
  // If this fails: node test/bench/throughput.ts --write
  expect(text).toBe(withThroughput(text, await makeThroughput()))
}, 180_000)
