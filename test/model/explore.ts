import { type Violation, violationsIn } from './invariants.ts'
import { kindOf } from './kind.ts'
import type { Model } from './model.ts'
import { accepted, type State } from './state.ts'
import { keyOf } from './state-key.ts'
import { stepsFrom } from './steps.ts'

/** What an exploration found: each violation, 'stuck' or 'runs away', with the shortest path to it. */
interface Exploration {
  readonly states: number
  readonly names: ReadonlySet<string>
  readonly statuses: ReadonlySet<State['status']>
  readonly broken: ReadonlyMap<string, readonly string[]>
  /** The steps that lead from one state of the service to another, by `from > to`. */
  readonly moves: ReadonlyMap<string, ReadonlySet<string>>
}

/** More than any finite model here has. */
const maxStates = 150_000

/**
 * Every reachable state, breadth first, or as many as it takes to find one violation: what breaks an invariant,
 * and what comes to no end by the service's own steps.
 */
export const explore = (model: Model, until?: Violation): Exploration => {
  const index = new Map([[keyOf(accepted, model.parts), 0]])
  const from = [{ parent: -1, name: 'accepted' }]
  const comesFrom: number[][] = [[]]
  const ended: number[] = []
  const names = new Set<string>()
  const statuses = new Set<State['status']>()
  const moves = new Map<string, Set<string>>()
  const broken = new Map<string, string[]>()
  const todo = [accepted]
  for (let at = 0; at < todo.length && !broken.has(until ?? 'stuck'); at++) {
    const state = todo[at]
    if (state === undefined) break
    if (at > maxStates) {
      broken.set('runs away', pathTo(at, from))
      break
    }
    statuses.add(state.status)
    const violations = violationsIn(state)
    for (const name of violations) if (!broken.has(name)) broken.set(name, pathTo(at, from))
    if (violations.length > 0 || hasEnded(state)) ended.push(at)
    if (violations.length > 0) continue
    for (const step of stepsFrom(state, model)) {
      names.add(step.name)
      const move = `${kindOf(state)} > ${kindOf(step.next)}`
      moves.set(move, (moves.get(move) ?? new Set()).add(step.name))
      const key = keyOf(step.next, model.parts)
      let to = index.get(key)
      if (to === undefined) {
        to = todo.push(step.next) - 1
        index.set(key, to)
        from.push({ parent: at, name: step.name })
        comesFrom.push([])
      }
      if (step.by === 'service') comesFrom[to]?.push(at)
    }
  }
  const isWhole = until === undefined && !broken.has('runs away')
  const stuck = isWhole ? firstStuck(ended, comesFrom) : undefined
  if (stuck !== undefined) broken.set('stuck', pathTo(stuck, from))
  return { states: todo.length, names, statuses, broken, moves }
}

/** The post has its outcome, and no worker is running. */
const hasEnded = (state: State) =>
  state.status !== 'scheduled' && state.inFlight.length === 0 && state.workers.every(({ phase }) => phase === 'idle')

const firstStuck = (ended: readonly number[], comesFrom: readonly number[][]): number | undefined => {
  const ends = new Set(ended)
  for (const end of ends) for (const before of comesFrom[end] ?? []) ends.add(before)
  for (let at = 0; at < comesFrom.length; at++) if (!ends.has(at)) return at
  return undefined
}

const pathTo = (at: number, from: readonly { parent: number; name: string }[]): string[] => {
  const step = from[at]
  return step === undefined ? [] : [...pathTo(step.parent, from), step.name]
}
