import type { Kit } from '../start.ts'
import { minuteMs } from './preparations.ts'

/** Drops what a function sends to a queue until stopped. */
interface Loss {
  functionName: string
  queue: string
}

export interface Traveller {
  kit: Kit
  /** What gets lost while a step of the journey is made. */
  losing: (losses: readonly Loss[], step: () => Promise<unknown>) => Promise<void>
}

export const at = ({ clock }: Kit, inMs: number) => new Date(clock.now() + inMs).toISOString()

/** The due times of a post that is published immediately, by the queue, and by a schedule. */
export const dueSoonMs = 2_000
export const dueByQueueMs = 10 * minuteMs
export const dueByScheduleMs = 16 * minuteMs
export const dueMoments = [dueSoonMs, dueByQueueMs, dueByScheduleMs]
