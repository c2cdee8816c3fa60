import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guide, withOutput } from '../../infra/deploy/guide-block.ts'
import { makeThroughput } from '../bench/throughput/make.ts'

test('the throughput in the deployment guide is what its command prints', async () => {
  const text = readFileSync(guide, 'utf8')
  // If this fails: node test/bench/throughput.ts --write
  expect(text).toBe(withOutput(text, 'test/bench/throughput.ts', await makeThroughput()))
}, 180_000)
