import type { FunctionPlan } from '../template/functions.ts'
import type { Environment } from './environment.ts'

/** A function as its thread knows it. */
export interface HostedFunction extends Pick<FunctionPlan, 'name' | 'memoryMb' | 'timeoutSeconds'> {
  /** The name of its handler in a bundle of all functions; undefined in one of its own. */
  handlerName: string | undefined
  /** All variables that it sees. */
  variables: Environment
}

/** A bundle that the thread loads, so that its first invocation does not wait for that. */
export interface HostLoad {
  file: string
  plan: HostedFunction
}

/** One invocation, as sent to the thread. */
export interface HostCall extends HostLoad {
  id: number
  event: unknown
}

export type HostAnswer = { id: number; answer: unknown } | { id: number; error: unknown }
