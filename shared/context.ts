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

/** What is known of the request that is being answered; none of it is secret. */
export interface RequestFacts {
  requestId: string
  /** Method and path of the contract, without the values of parameters. */
  route: string
  /** The client's address, as the connection shows it. */
  ip: string
  /** Who calls: the ids below are set once the token or the cookie is proved. */
  userId?: string
  sessionId?: string
  tokenId?: string
  /** The workspace that the call names; membership is not proved by it. */
  workspaceId?: string
}

/** Everything with a side effect hangs on this object; it is handed down, never looked up. */
export interface Context {
  /** The value of a variable; throws where infra did not set it. */
  env(name: Variable): string
  clock: Clock
  observe: Observe
  log: Log
  /** Options in place of those that an AWS SDK client is made with; the local runtime reaches its engines without sockets. */
  transport?: (config: object) => object
  /** Set while a request is answered. */
  readonly request?: RequestFacts
  /** The context that this one was derived from for one request; what `perContext` keeps belongs to it. */
  readonly environment?: Context
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
  ...(parts.transport ? { transport: parts.transport } : {}),
})

let lambda: Context | undefined

/** The context of a deployed function, made once per environment. */
export const lambdaContext = (): Context => {
  lambda ??= makeContext(process.env)
  return lambda
}

/** The same context for one request, or with more known of that request. */
export const withRequest = (ctx: Context, facts: RequestFacts): Context => ({
  ...ctx,
  environment: ctx.environment ?? ctx,
  request: { ...ctx.request, ...facts },
})

/**
 * Keeps one value per environment: clients and keys live as long as the context that made them, and every request that
 * is answered with that context shares them.
 */
export const perContext = <T>(make: (ctx: Context) => T): ((ctx: Context) => T) => {
  const made = new WeakMap<Context, T>()
  return (given) => {
    const ctx = given.environment ?? given
    const known = made.get(ctx)
    if (known !== undefined) return known
    const value = make(ctx)
    made.set(ctx, value)
    return value
  }
}
