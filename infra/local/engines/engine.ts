import type { Guard } from '../iam/guard.ts'

/** The time an engine lives by, in milliseconds since 1970; tests inject one they can move. */
export interface EngineClock {
  now(): number
}

/**
 * What every embedded engine needs to start. Port 0 picks a free one; without a folder the state is lost when the process
 * ends.
 */
export interface EngineOptions {
  clock: EngineClock
  port?: number
  folder?: string
  /** Whether what was answered survives a power failure too, and not only the death of the process. */
  isDurable?: boolean | undefined
  /** Decides who may do what; without it, everyone may do everything. */
  guard?: Guard | undefined
}

/** A local stand-in for one AWS service, speaking its wire protocol on 127.0.0.1. */
export interface Engine {
  readonly url: string
  /** Stops listening; with a folder, the state is on disk when this resolves. */
  close(): Promise<void>
}

/** An engine with work that becomes due only by time (a delay ends, a schedule fires). */
export interface TimedEngine extends Engine {
  /** The next moment at which anything becomes due, in milliseconds; undefined if nothing is pending. */
  nextDueAt(): number | undefined
}
