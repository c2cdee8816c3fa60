import fc from 'fast-check'
import { expect } from 'vitest'
import type { PostStateKind } from '../../../shared/posts/lifecycle/state.ts'
import { scheduleOn } from '../../journeys/author.ts'
import { expectSound } from '../../journeys/invariants.ts'
import { start } from '../../support/start.ts'
import { sequence } from './command.ts'
import { makeWorld } from './world.ts'

const kinds: readonly PostStateKind[] = [
  'scheduled',
  'publishing',
  'unconfirmed',
  'earlier-unconfirmed',
  'reconciling',
  'published',
  'failed',
  'outcome-unknown',
  'cancelled',
]

/** Plays random sequences of commands on the real code, and compares it with the model after each step. */
export const playSequences = async (count: number, seed: number): Promise<void> => {
  const kit = await start({ keepExpired: true })
  // In an empty channel a probe finds nothing out.
  await scheduleOn(kit, 'discord', 'hello', 1_000)
  await kit.service.pass(2_000)
  const play = await makeWorld(kit)
  const met = new Set<string>()
  let played = 0
  const property = fc.asyncProperty(sequence, async (steps) => {
    played += 1
    for (const kind of await play(`sequence ${played}`, steps)) met.add(kind)
  })
  await fc.assert(property, { numRuns: count, seed, endOnFailure: true })
  if (count >= 300) expect([...met]).toEqual(expect.arrayContaining([...kinds]))
  // What is left of the messages changes nothing, and the events are relayed.
  await kit.service.pass(20 * 60_000, { tickMinutes: 5 })
  await expectSound(kit)
}
