import { test } from 'vitest'
import { playSequences } from './sequences.ts'

/** All of them, and of which seed: `SEQUENCES=10000 SEQUENCES_SEED=1`. */
const count = Number(process.env['SEQUENCES'] ?? 1_000)
const seed = Number(process.env['SEQUENCES_SEED'] ?? 1)
const perService = 100

const parts = Array.from({ length: Math.ceil(count / perService) }, (_, n) => ({
  part: n + 1,
  size: Math.min(perService, count - n * perService),
}))

test.each(parts)('sequences of webhook commands, part $part', async ({ part, size }) => {
  await playSequences(size, seed * 1_000 + part)
}, 600_000)
