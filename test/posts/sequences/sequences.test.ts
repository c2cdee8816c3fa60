import { test } from 'vitest'
import { playSequences } from './play.ts'

test('300 random sequences: every write is a transition, every answer is the model’s, and what is said is true', async () => {
  await playSequences(300, 20_301_122)
}, 240_000)
