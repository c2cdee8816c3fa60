import diagnostics from 'node:diagnostics_channel'
import { join } from 'node:path'
import { type Context, makeContext } from '../../../shared/context.ts'
import { localNames } from '../../deploy/stacks/names.ts'
import type { ClockShift } from '../engines/clock-shift.ts'
import type { FunctionPlan } from '../template/functions.ts'
import type { Blueprint } from '../template.ts'
import type { Closing } from './closing.ts'
import type { Invoke } from './deliver-schedule.ts'
import type { Environment } from './environment.ts'
import { makeHost } from './host.ts'
import { runInvocation } from './invocation.ts'

/** A function as it can be called here. */
export interface LocalFunction {
  context: Context
  /** Throws the error of the function, or of its crash. */
  invoke(event: unknown): Promise<unknown>
}

/** Makes a function's code callable with a given context, or in a separate environment with its variables. */
export type Load = (plan: FunctionPlan, ctx: Context, variables: Environment) => (event: unknown) => Promise<unknown>

/** The name of a function as in the route table and in dist/, for example `posts-schedule`. */
export const shortName = (functionName: string): string => functionName.slice(localNames.physical('').length)

/** The handlers from the source, by function name. */
export const loadSource = async (): Promise<Load> => {
  const { handlers } = await import('../../../functions/all.ts')
  return ({ name }, ctx) => {
    const handler = handlers.get(shortName(name))
    if (handler === undefined) throw new Error(`the template has a function ${name}, the source has no handler for it`)
    // API Gateway, SQS and the clock each send a specific event; the wiring that calls the function knows which.
    return handler.withContext(ctx) as (event: unknown) => Promise<unknown>
  }
}

interface Bundles {
  folder: string
  /** Whether all functions are in one bundle (infra/deploy/server.ts), and not each in its own. */
  areTogether: boolean
  seeLine?: ((line: string) => void) | undefined
}

/**
 * The bundles that are deployed, or the one of all functions; each function sees its variables and no others, and effects
 * cannot be observed. The functions behind the API and those behind queues and clocks each have a thread, so that neither
 * delays the other, the gateway, or an engine.
 */
export const loadBundles = (
  { folder, areTogether, seeLine }: Bundles,
  { mappings, clocks }: Blueprint,
  closing: Closing,
  shift: ClockShift | undefined,
): Load => {
  // At most 48 MB for new objects: by default, a busy thread grows to 192 MB and retains them.
  const options = { shift, seeLine, resourceLimits: areTogether ? { maxYoungGenerationSizeMb: 48 } : {} }
  const [api, background] = [
    makeHost('functions behind the API', options),
    makeHost('functions behind queues and clocks', options),
  ]
  for (const host of [api, background]) closing.add(() => host.close())
  const inBackground = new Set([...mappings, ...clocks].map(({ functionName }) => functionName))
  return (plan, _ctx, variables) => {
    const name = shortName(plan.name)
    const file = areTogether ? join(folder, 'index.cjs') : join(folder, name, 'index.cjs')
    const hosted = { ...plan, handlerName: areTogether ? name : undefined, variables }
    if (!inBackground.has(plan.name)) return (event) => api.call(file, hosted, event)
    // A post that is due waits for nothing that could have been loaded before.
    background.load(file, hosted)
    return (event) => background.call(file, hosted, event)
  }
}

export interface FunctionParts {
  context: Parameters<typeof makeContext>[1]
  /** The variables of its template. */
  environment: Environment
  /** The variables by which SDK clients find their engines and credentials. */
  sdk: Environment
  /** Called before the first invocation, when Lambda opens the log stream of the environment. */
  begin(): void
}

/** The functions of the service by name; they are added once the engines exist, which may already call them. */
export interface Functions {
  /** Adds a function with a context of only its variables, so that a missing one shows. */
  add(load: Load, plan: FunctionPlan, parts: FunctionParts): void
  of(name: string): LocalFunction
  invoke: Invoke
}

/** Called for every invocation at its start and end; a benchmark listens here (node:diagnostics_channel). */
const invocations = diagnostics.tracingChannel('local.invocation')

export const makeFunctions = (): Functions => {
  const functions = new Map<string, LocalFunction>()
  const of = (name: string) => {
    const known = functions.get(name)
    if (known === undefined) throw new Error(`there is no function ${name}`)
    return known
  }
  return {
    add(load, plan, { environment, sdk, begin, ...parts }) {
      const context = makeContext(environment, parts.context)
      const handler = load(plan, context, { ...sdk, ...environment })
      let hasBegun = false
      functions.set(shortName(plan.name), {
        context,
        invoke(event) {
          if (!hasBegun) begin()
          hasBegun = true
          return invocations.tracePromise(() => runInvocation(async () => handler(event)), { event, plan })
        },
      })
    },
    of,
    invoke: async (functionName, event) => of(shortName(functionName)).invoke(event),
  }
}
