import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import * as z from 'zod/mini'
import { orLeaveToSweeper, send } from '../aws/queue.ts'
import { type Context, withCorrelation } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { present } from '../db/expression.ts'
import { notSwept, sweepAt } from '../db/sweep-at.ts'
import { updateOnly, type Write } from '../db/table.ts'
import { pair } from '../ids.ts'
import { dayMs } from '../time.ts'
import { cursorOfEvent, Event, outboxIdInCursor } from './event.ts'

/**
 * How long an event and the log of its attempts can be read, replayed, and redelivered (cdk.json,
 * webhookRetentionDays).
 */
export const retentionMs = (ctx: Context): number => Number(ctx.env('EVENT_RETENTION_DAYS')) * dayMs

/**
 * Rows outlive the retention period: a delivery or redelivery at its last moment still has 13 tries ahead, which take 92
 * hours at most (76 h 42 m, each wait up to a fifth longer).
 */
const retryWindowMs = 5 * dayMs

/** The `ttl` of a row that is written now. */
export const expiryOf = (ctx: Context): number => Math.ceil((ctx.clock.now() + retentionMs(ctx) + retryWindowMs) / 1000)

/** Whether a row is past the retention period. */
export const isExpired = (ctx: Context, { ttl }: { ttl: number }): boolean =>
  ttl * 1000 - retryWindowMs <= ctx.clock.now()

/** The message to relay-events: names an outbox row. */
export const RelayMessage = z.object({ workspaceId: z.string(), outboxId: z.string() })
export type RelayMessage = z.infer<typeof RelayMessage>

/** Sends an outbox row to the relay immediately. If the queue rejects it, the sweeper sends it within a minute. */
export const enqueueRelay = (ctx: Context, workspaceId: string, outboxId: string): Promise<void> => {
  const body: RelayMessage = { workspaceId, outboxId }
  return orLeaveToSweeper(ctx, { outboxId }, () => send(ctx, 'events', { body, group: workspaceId }))
}

/** The id of an attempt. It sorts by the event's time, then by attempt, and is deterministic. */
export const deliveryId = (outboxId: string, eventIndex: number, attempt: number): string =>
  `dlv_${outboxId}${pair(eventIndex)}${pair(attempt)}`

/** The message to deliver-webhook: one attempt. */
export const DeliverMessage = z.object({ workspaceId: z.string(), endpointId: z.string(), deliveryId: z.string() })
export type DeliverMessage = z.infer<typeof DeliverMessage>

/** An endpoint as the row of its workspace has it. */
export interface Subscriber {
  id: string
  events: readonly string[]
  enabled: boolean
  includeChildWorkspaces?: boolean | undefined
}

/** A workspace as its events name it, and the workspace of its application, whose feed includes them. */
export type EventSource = Event['workspace'] & { application?: { workspaceId: string } | undefined }

/** Whether a row is the copy that a child workspace has written for its application. */
export const isOfChild = ({ workspaceId, events }: Pick<OutboxRow, 'workspaceId' | 'events'>): boolean =>
  events.some(({ workspace }) => workspace.id !== workspaceId)

/** Every pair of an event and an enabled endpoint that is subscribed to its type. */
export const subscribersOf = <E extends Pick<Event, 'type'>>(events: readonly E[], endpoints: readonly Subscriber[]) =>
  events.flatMap((event, eventIndex) =>
    endpoints
      .filter(({ enabled, events: types }) => enabled && types.includes(event.type))
      .map(({ id: endpointId }) => ({ event, eventIndex, endpointId })),
  )

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
  /** The API call that led to the events (`Context`). */
  correlationId: z.optional(z.string()),
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

/**
 * The context of the API call that led to the last event about something. Messages of the sweeper do not name the call.
 * Decided: a post has no attribute for it, because the row of a short text is almost 1 KB, and each write of it would cost a
 * unit more. A failed read stops no work.
 */
export const correlate = async (
  ctx: Context,
  { workspaceId, lastEventId }: { workspaceId: string; lastEventId?: string | undefined },
): Promise<Context> => {
  const cursor = lastEventId === undefined ? undefined : cursorOfEvent(lastEventId)
  if (ctx.correlationId !== undefined || cursor === undefined) return ctx
  const row = await outbox.get(ctx, { workspaceId, id: outboxIdInCursor(cursor) }).catch(() => undefined)
  return withCorrelation(ctx, row?.correlationId)
}

const relayDelayMs = 60_000

/**
 * The writes that put events into the outbox: those of a child workspace are also put into the outbox of its application, at
 * the same position. The sweeper enqueues them again if they are not relayed within a minute.
 */
export const recordEvents = (ctx: Context, id: string, source: EventSource, events: readonly Event[]): Write[] => {
  if (events.length === 0) return []
  const feeds = [source.id, ...(source.application === undefined ? [] : [source.application.workspaceId])]
  return feeds.map((workspaceId) => {
    const row = { id, workspaceId, events: [...events], ttl: expiryOf(ctx), correlationId: ctx.correlationId }
    return { put: { ...outbox.item(row), ...sweepAt(id, ctx.clock.now() + relayDelayMs) } }
  })
}

/** Marks a row as relayed. Does nothing if it was relayed in the meantime, or removed with its workspace. */
export const markRelayed = async (ctx: Context, row: OutboxRow): Promise<void> => {
  await wasCurrent(updateOnly(ctx, outbox.key(row), { remove: notSwept }, present('sweepAtMs')))
}

/** Whether the relay of a row is on its way: it is not done, and the sweeper had no reason yet to start it again. */
export const isAwaitingRelay = ({ sweepAtMs, sweepCount = 0 }: OutboxRow): boolean =>
  sweepAtMs !== undefined && sweepCount === 0
