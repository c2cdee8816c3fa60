import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { ifCurrent, wasCurrent } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { allOf, present } from '../db/expression.ts'
import { leaseFree } from '../db/lease.ts'
import { notSwept, sweepAt } from '../db/sweep-at.ts'
import { type Item, update, updateOnly, type Write } from '../db/table.ts'
import { Event } from './event.ts'
import { expiryOf } from './retention.ts'

/** The events of one transaction, waiting to be relayed. The row stays until its events expire. */
export const OutboxRow = z.object({
  id: z.string(),
  workspaceId: z.string(),
  events: z.array(Event),
  ttl: z.number(),
  /** How often the row was claimed for a relay. */
  relays: z.optional(z.int()),
  /** When the lease of the current relay ends. */
  relayUntilMs: z.optional(z.number()),
})
export type OutboxRow = z.infer<typeof OutboxRow>

export const outbox = entity({
  type: 'Outbox',
  shape: OutboxRow,
  key: ({ workspaceId, id }: Pick<OutboxRow, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}#EVENT`, SK: id }),
})

const relayDelayMs = 60_000

/**
 * The write that puts events into the outbox. The sweeper enqueues them again if they are not relayed within a minute.
 */
export const recordEvents = (ctx: Context, id: string, workspaceId: string, events: readonly Event[]): Write[] => {
  if (events.length === 0) return []
  const row = { id, workspaceId, events: [...events], ttl: expiryOf(ctx) }
  return [{ put: { ...outbox.item(row), ...sweepAt(id, ctx.clock.now() + relayDelayMs) } }]
}

/** Longer than the timeout of the function: when the lease ends, its holder is dead. */
const leaseMs = 45_000

/** Claims a row that is not relayed yet; undefined if another relay holds it or it is relayed. */
export const claimOutbox = async (
  ctx: Context,
  key: Pick<OutboxRow, 'workspaceId' | 'id'>,
): Promise<OutboxRow | undefined> => {
  const now = ctx.clock.now()
  const change = { set: { relayUntilMs: now + leaseMs }, add: { relays: 1 } }
  const item = await ifCurrent(
    update(ctx, outbox.key(key), change, allOf(present('sweepAtMs'), leaseFree('relayUntilMs', now))),
  )
  return item && outbox.parse(item)
}

/** Marks a row as relayed. Does nothing if the row was removed with its workspace. */
export const markRelayed = async (ctx: Context, row: OutboxRow): Promise<void> => {
  await wasCurrent(updateOnly(ctx, outbox.key(row), { remove: ['relayUntilMs', ...notSwept] }, present('PK')))
}

/** Whether the relay of a stored row has not started, or is running. A relay that died counts as neither. */
export const isAwaitingRelay = (item: Item, nowMs: number): boolean => {
  if (item['sweepAtMs'] === undefined) return false
  const { relayUntilMs } = outbox.parse(item)
  return relayUntilMs === undefined || relayUntilMs > nowMs
}
