import * as z from 'zod/mini'
import { backlog, send } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { allOf, atMost, equal } from '../db/expression.ts'
import { keyOf, query, update } from '../db/table.ts'
import { type QueueName, sweepShards } from '../resources.ts'
import { minuteMs } from '../time.ts'
import { SweptRow } from './row.ts'
import { sweepRules } from './rules.ts'

const waitsMinutes = [1, 2, 4, 8, 15] as const
const perShard = 500
const fullQueue = 1000

const ruleOf = new Map(sweepRules.map((rule) => [rule.type, rule]))

/** Moves the next look at a row; false if the row has changed since it was read. */
const postpone = (ctx: Context, row: SweptRow, nowMs: number): Promise<boolean> => {
  const minutes = waitsMinutes[Math.min(row.sweepCount ?? 0, waitsMinutes.length - 1)] ?? 15
  const change = { set: { sweepAtMs: nowMs + minutes * minuteMs }, add: { sweepCount: 1 } }
  return wasCurrent(update(ctx, keyOf(row), change, equal('sweepAtMs', row.sweepAtMs)))
}

/** Enqueues the messages of all rows that are due until a moment, each if `take` returns true. */
const enqueueDue = async (ctx: Context, nowMs: number, untilMs: number, take: (row: SweptRow) => Promise<boolean>) => {
  const shards = Array.from({ length: sweepShards }, (_, n) => `SWEEP#${n}`)
  const full = new Map<QueueName, Promise<boolean>>()
  const isFull = (queue: QueueName) => {
    const known = full.get(queue) ?? backlog(ctx, queue).then((count) => count > fullQueue)
    full.set(queue, known)
    return known
  }
  await Promise.all(
    shards.map(async (shard) => {
      const key = allOf(equal('sweepShard', shard), atMost('sweepAtMs', untilMs))
      const page = await query(ctx, { index: 'sweep', key, limit: perShard })
      for (const item of page.items) {
        const row = z.parse(SweptRow, item)
        const message = ruleOf.get(row.type)?.messageFor(item, nowMs)
        if (!message || (await isFull(message.queue))) continue
        if (await take(row)) await send(ctx, message.queue, { body: message.body, group: message.group })
      }
    }),
  )
}

/** Enqueues the message of every row that is due, and moves its next look. The sweeper changes nothing else. */
export const sweep = async (ctx: Context): Promise<void> => {
  const now = ctx.clock.now()
  await enqueueDue(ctx, now, now, (row) => postpone(ctx, row, now))
}

/**
 * Enqueues the messages of all rows that are due within a time, because messages in flight may be lost. It changes no row,
 * so that it may run again and again: each look of `sweep` comes when it would have come.
 */
export const enqueueDueWithin = async (ctx: Context, withinMs: number): Promise<void> => {
  const now = ctx.clock.now()
  await enqueueDue(ctx, now, now + withinMs, async () => true)
}
