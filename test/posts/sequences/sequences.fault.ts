import { test } from 'vitest'
import { isFull } from '../../support/thin.ts'
import { playSequences } from './play.ts'

const count = isFull ? 300 : 60

test(`${count} random sequences: every write is a transition, every answer is the model’s, and every statement about a post is true`, async () => {
  await playSequences(count, 20_301_122)
}, 240_000)
