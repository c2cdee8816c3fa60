import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { present } from '../db/expression.ts'
import { notSwept, sweepAt } from '../db/sweep-at.ts'
import { updateOnly, type Write } from '../db/table.ts'
import { Event } from './event.ts'
import { expiryOf } from './retention.ts'

const Events = z.array(Event)

/** Events are compressed: a write costs by the kilobyte, and the events of a group repeat the same text. */
const pack = (events: readonly Event[]): Uint8Array =>
  brotliCompressSync(JSON.stringify(events), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

const unpack = (packed: Uint8Array): Event[] =>
  z.parse(Events, JSON.parse(brotliDecompressSync(packed).toString('utf8')))

const StoredRow = z.object({
  id: z.string(),
  workspaceId: z.string(),
  packed: z.instanceof(Uint8Array),
  ttl: z.number(),
  /** Until it is relayed: when the sweeper looks next, and how often it has looked. */
  sweepAtMs: z.optional(z.number()),
  sweepCount: z.optional(z.int()),
})

/** The events of one transaction, waiting to be relayed. The row stays until its events expire. */
export interface OutboxRow extends Omit<z.infer<typeof StoredRow>, 'packed'> {
  events: Event[]
}

export const outbox = entity({
  type: 'Outbox',
  shape: z.pipe(
    StoredRow,
    z.transform(({ packed, ...row }): OutboxRow => ({ ...row, events: unpack(packed) })),
  ),
  pack: ({ events, ...row }) => ({ ...row, packed: pack(events) }),
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

/** Marks a row as relayed; does nothing if it was relayed meanwhile, or removed with its workspace. */
export const markRelayed = async (ctx: Context, row: OutboxRow): Promise<void> => {
  await wasCurrent(updateOnly(ctx, outbox.key(row), { remove: notSwept }, present('sweepAtMs')))
}

/** Whether the relay of a row is on its way: it is not done, and the sweeper had no reason yet to start it again. */
export const isAwaitingRelay = ({ sweepAtMs, sweepCount = 0 }: OutboxRow): boolean =>
  sweepAtMs !== undefined && sweepCount === 0
