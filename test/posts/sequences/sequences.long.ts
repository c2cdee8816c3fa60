import { test } from 'vitest'
import { playSequences } from './play.ts'

/** All of them, and of which seed: `SEQUENCES=10000 SEQUENCES_SEED=1`. */
const count = Number(process.env['SEQUENCES'] ?? 10_000)
const seed = Number(process.env['SEQUENCES_SEED'] ?? 1)
/** More posts than this make one service slow. */
const perService = 250

const parts = Array.from({ length: Math.ceil(count / perService) }, (_, n) => ({
  part: n + 1,
  size: Math.min(perService, count - n * perService),
}))

test.each(parts)('sequences, part $part', async ({ part, size }) => {
  await playSequences(size, seed * 1_000 + part)
}, 240_000)
