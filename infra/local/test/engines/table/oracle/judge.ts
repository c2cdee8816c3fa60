import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import { random62 } from '../../../../../../shared/ids.ts'
import { startDynamoDb } from '../../../../../../test/support/dynamodb.ts'
import { getSharedSetup } from '../../../../../../test/support/shared-setup.ts'
import { startTable } from '../../../../engines/table.ts'
import type { Forms } from '../forms/forms.ts'
import { watchTable } from '../forms/watch.ts'
import { type Command, tableName } from '../requests/command.ts'
import { commandsOn, creation } from '../requests/commands.ts'
import type { Subject } from '../requests/subject.ts'
import { subjectsOf } from '../requests/subjects.ts'
import { normal } from './normal.ts'
import { perform } from './perform.ts'
import { type Answer, openWire, type Wire } from './wire.ts'

/** On one pair of tables. */
const maxCommands = 80
const runsPerRound = 5

/** How many commands were judged, by their operation and what DynamoDB Local answered. */
class Tally {
  readonly #counts = new Map<string, number>()
  total = 0

  add({ operation, broken }: Command, theirs: readonly Answer[]): void {
    const kind = `${operation}${broken ? ', broken' : ''}: ${theirs.at(-1)?.['error'] ?? 'ok'}`
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    this.total += 1
  }

  toString(): string {
    return [...this.#counts]
      .sort()
      .map(([kind, count]) => `${String(count).padStart(7)} ${kind}`)
      .join('\n')
  }
}

/** The same command with a token that no other run has; engines remember tokens for ten minutes. */
const inRun = (command: Command, run: string): Command => {
  const { ClientRequestToken: token } = command.input
  if (typeof token !== 'string') return command
  return { ...command, input: { ...command.input, ClientRequestToken: `${run}${token}` } }
}

/** Carries out commands on an empty table of each engine; throws at the first difference. */
const compare = async (wires: readonly Wire[], subject: Subject, commands: readonly Command[], tally: Tally) => {
  const run = random62(8)
  await Promise.all(wires.map((wire) => wire.send(creation(subject))))
  try {
    for (const command of commands.map((command) => inRun(command, run))) {
      const [ours = [], theirs = []] = await Promise.all(wires.map((wire) => perform(wire, command)))
      tally.add(command, theirs)
      const [mine, judged] = [normal(command, ours), normal(command, theirs)]
      if (isDeepStrictEqual(mine, judged)) continue
      const firstMessage = { ours: ours.at(-1)?.['message'], theirs: theirs.at(-1)?.['message'] }
      expect(mine, `${JSON.stringify(command)}\n${JSON.stringify(firstMessage)}`).toEqual(judged)
    }
  } finally {
    await Promise.all(wires.map((wire) => wire.send({ operation: 'DeleteTable', input: { TableName: tableName } })))
  }
}

interface Judged {
  operations: number
  forms: Forms
}

/**
 * Lets DynamoDB Local judge the embedded table by so many random operations, on each kind of table, in so many lanes side
 * by side. Returns how many there were and their forms; throws with the shortest case that shows a difference.
 */
export const judge = async (operations: number, seed: number, lanes: number): Promise<Judged> => {
  const calls = watchTable()
  const [{ assembly }, oracle, table] = await Promise.all([
    getSharedSetup(),
    startDynamoDb(),
    startTable({ clock: Date, keepExpired: true, watch: calls.watch }),
  ])
  const tally = new Tally()
  const subjects = Object.values(subjectsOf(assembly))
  try {
    const run = async (lane: number) => {
      // Each access key id has its own tables; DynamoDB Local keeps four threads for each.
      const wires = [table.url, oracle.endpoint].map((endpoint) => openWire(endpoint, random62(20)))
      for (let round = lane; tally.total < operations; round += lanes) {
        const [subject] = subjects.slice(round % subjects.length)
        if (subject === undefined) return
        const commands = fc.array(commandsOn(subject), { minLength: 1, maxLength: maxCommands, size: 'max' })
        await fc.assert(
          fc.asyncProperty(commands, (all) => compare(wires, subject, all, tally)),
          { numRuns: runsPerRound, seed: seed + round },
        )
      }
      for (const wire of wires) wire.close()
    }
    await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)))
    return { operations: tally.total, forms: calls.forms }
  } finally {
    await Promise.all([table.close(), oracle.close()])
    console.log(`${tally.total} operations judged, seed ${seed}:\n${tally}`)
  }
}
