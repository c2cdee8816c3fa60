import type { Variable } from '../../../shared/resources.ts'
import type { FunctionPlan } from '../template/functions.ts'

export type Environment = Readonly<Record<string, string>>

/** A function's variables: those of its template and no others. */
export const environmentOf = (
  plan: FunctionPlan,
  local: Partial<Record<Variable, string>>,
  ai: (name: string, deployed: string) => string | undefined = () => undefined,
): Environment =>
  Object.fromEntries(
    Object.entries(plan.environment).map(([name, value]) => [
      name,
      local[name as Variable] ?? ai(name, value) ?? value,
    ]),
  )

/** One environment for all functions; throws if two functions need different values for one name. */
export const mergeEnvironments = (environments: readonly Environment[]): Environment => {
  const merged: Record<string, string> = {}
  for (const [name, value] of environments.flatMap((environment) => Object.entries(environment))) {
    if (merged[name] !== undefined && merged[name] !== value) {
      throw new Error(`two functions want different values for ${name}: they cannot run in one process`)
    }
    merged[name] = value
  }
  return merged
}

/** Sets variables of this process, undefined removes one; returns a function that restores them. */
export const setProcessEnvironment = (values: Readonly<Record<string, string | undefined>>): (() => void) => {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]))
  const assign = (all: Readonly<Record<string, string | undefined>>) => {
    for (const [name, value] of Object.entries(all)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  assign(values)
  return () => assign(before)
}
