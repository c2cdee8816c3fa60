import * as z from 'zod/mini'
import type { QueueName } from '../resources.ts'
import type { Item } from './table.ts'

/** A message that resumes the work of a row; `group` is its group in the fair queue. */
export interface SweepMessage {
  queue: QueueName
  body: object
  group: string
}

/** How the sweeper resumes the unfinished work of one type of rows. */
export interface SweepRule {
  type: string
  /** The attributes of a row that the message needs. The sweep index projects only these. */
  attributes: readonly string[]
  /** Undefined if this row needs no message. */
  messageFor(item: Item, nowMs: number): SweepMessage | undefined
}

interface RuleSpec<Row> {
  type: string
  shape: z.ZodMiniObject & z.ZodMiniType<Row>
  message(row: Row, nowMs: number): SweepMessage
}

/** Creates the rule of one row type; `shape` is the part of a row that its message needs. */
export const sweepRule = <Row>({ type, shape, message }: RuleSpec<Row>): SweepRule => ({
  type,
  attributes: Object.keys(shape.shape),
  messageFor: (item, nowMs) => {
    const row = z.safeParse(shape, item)
    return row.success ? message(row.data, nowMs) : undefined
  },
})
