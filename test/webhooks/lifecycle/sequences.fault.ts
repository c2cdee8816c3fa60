import { expect, test } from 'vitest'
import { playSequences } from './sequences.ts'

test('in random sequences of commands and crashes every write is a transition, and the API shows the state', async () => {
  const seen = await playSequences(30, 20_301_122)
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['active', 'failing', 'disabled', 'recovering']))
}, 240_000)
