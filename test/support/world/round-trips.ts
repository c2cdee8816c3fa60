import type { ObserveFunction } from '../../../infra/local/service/invocation.ts'
import { countKeys } from '../../../shared/resources.ts'

/** An effect of a function, with the positions of its start and end in the order of all effects. */
export interface Step {
  functionName: string
  action: string
  atMs: number
  begin: number
  end: number
}

/** Read once and cached for the life of the environment, or for minutes: not part of the cost of a call. */
const cached = new Set(['GetSecretValue', 'Decrypt'])

/** The write that counts a call against a rate limit. */
const count = 'count'

/**
 * The round trips of a function, one after the other: a step comes behind all those that had ended when it began.
 * `|` stands between trips, `+` between concurrent calls. The counting of the call is left out unless it is requested
 * for: a concurrent caller may cost a second write in addition to the read.
 */
export const tripsOf = (steps: readonly Step[], functionName: string, { counted = false } = {}): string => {
  const levels = new Map<Step, number>()
  for (const step of steps) {
    if (step.functionName !== functionName || (step.action === count && !counted)) continue
    const before = [...levels].filter(([other]) => other.end < step.begin).map(([, level]) => level)
    levels.set(step, Math.max(0, ...before) + 1)
  }
  const trips: string[][] = []
  for (const [{ action }, level] of levels) trips[level - 1] = [...(trips[level - 1] ?? []), action]
  return trips.map((actions) => actions.sort().join(' + ')).join(' | ')
}

/** Records what functions do, in the order in which it begins. */
export const makeStepRecorder = () => {
  let steps: Step[] = []
  let position = 0
  let clock = { now: () => 0 }
  const observe: ObserveFunction = async ({ functionName, action: called, resource }, run) => {
    const action = resource.endsWith(`/${countKeys}`) ? count : called
    const step = { functionName, action, atMs: clock.now(), begin: position++, end: Number.POSITIVE_INFINITY }
    if (!cached.has(action)) steps.push(step)
    try {
      return await run()
    } finally {
      step.end = position++
    }
  }
  return {
    observe,
    readTimeFrom: (source: typeof clock) => {
      clock = source
    },
    /** The steps of all functions while something runs. */
    during: async (run: () => Promise<unknown>): Promise<readonly Step[]> => {
      steps = []
      await run()
      return steps
    },
  }
}
