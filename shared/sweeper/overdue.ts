import type { Context } from '../context.ts'
import type { QueueName } from '../resources.ts'
import type { SweptRow } from './row.ts'

/** The line that an alarm counts (infra/stacks/alarms.ts). */
export const overdueLine = 'work is overdue'

/** After so many messages, and fifteen minutes, a row should have been worked on. */
const messagesInVain = 4

/**
 * Counts the rows of each queue whose messages were sent in vain, and logs one line for each queue; and one line for all
 * rows that this release cannot resume.
 */
export const watchOverdue = (ctx: Context) => {
  const counts = new Map<QueueName, number>()
  const left: SweptRow[] = []
  return {
    see: (row: SweptRow, queue: QueueName): void => {
      if ((row.sweepCount ?? 0) >= messagesInVain) counts.set(queue, (counts.get(queue) ?? 0) + 1)
    },
    leave: (row: SweptRow): void => void left.push(row),
    log: (): void => {
      const [first] = left
      if (first !== undefined) {
        const { PK, SK, type } = first
        ctx.log.warn('rows of a newer release are left', { rows: left.length, PK, SK, type })
      }
      for (const [queue, rows] of counts) ctx.log.warn(overdueLine, { queue, rows })
    },
  }
}
