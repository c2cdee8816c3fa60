import { calls } from './calls.ts'
import { type Check, toolsOf, type World } from './check.ts'
import { faults } from './faults.ts'
import { helpers } from './helpers.ts'

export interface Outcome {
  name: string
  error?: string | undefined
}

/** Runs every check in turn, and returns how each one ended. */
export const runSuite = async (world: World, more: Record<string, Check> = {}): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const [name, check] of Object.entries({ ...calls, ...faults, ...helpers, ...more })) {
    const tools = toolsOf(world)
    await tools.arrange()
    try {
      await check(tools)
      outcomes.push({ name })
    } catch (error) {
      outcomes.push({ name, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
    }
  }
  return outcomes
}
