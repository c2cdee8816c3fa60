import type { FunctionPlan } from '../template/functions.ts'
import type { Environment } from './environment.ts'

/** A function as its thread knows it. */
export interface HostedFunction extends Pick<FunctionPlan, 'name' | 'memoryMb' | 'timeoutSeconds'> {
  /** All variables that it sees. */
  variables: Environment
}

/** One invocation on its way into the thread. */
export interface HostCall {
  id: number
  /** The bundle. */
  file: string
  plan: HostedFunction
  event: unknown
}

export type HostAnswer = { id: number; answer: unknown } | { id: number; error: unknown }
