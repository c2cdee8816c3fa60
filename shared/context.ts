import { jsonLog, type Log } from './log.ts'
import type { Variable } from './resources.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number): Promise<void>
}

/** One outward act: a call to AWS, to a platform or to a receiver. */
export interface Effect {
  service: string
  action: string
  resource: string
}

/** Runs an effect; the seam where tests count, record and crash, and where tracing would hook in. */
export type Observe = <T>(effect: Effect, run: () => Promise<T>) => Promise<T>

/** Everything with a side effect hangs on this object; it is handed down, never looked up. */
export interface Context {
  /** The value of a variable; throws where infra did not set it. */
  env(name: Variable): string
  clock: Clock
  observe: Observe
  log: Log
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** A context over a set of variables; what is not given is the real thing. */
export const makeContext = (
  env: Readonly<Record<string, string | undefined>>,
  parts: Partial<Omit<Context, 'env'>> = {},
): Context => ({
  env: (name) => {
    const value = env[name]
    if (value === undefined) throw new Error(`the environment variable ${name} is not set`)
    return value
  },
  clock: parts.clock ?? systemClock,
  observe: parts.observe ?? ((_effect, run) => run()),
  log: parts.log ?? jsonLog(),
})

let lambda: Context | undefined

/** The context of a deployed function, made once per environment. */
export const lambdaContext = (): Context => {
  lambda ??= makeContext(process.env)
  return lambda
}

/** Keeps one value per context: clients and keys live as long as the environment that made them. */
export const perContext = <T>(make: (ctx: Context) => T): ((ctx: Context) => T) => {
  const made = new WeakMap<Context, T>()
  return (ctx) => {
    const known = made.get(ctx)
    if (known !== undefined) return known
    const value = make(ctx)
    made.set(ctx, value)
    return value
  }
}
