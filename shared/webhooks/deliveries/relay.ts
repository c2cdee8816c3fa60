import { putEvents } from '../../aws/bus.ts'
import { type Context, withCorrelation } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import { absent } from '../../db/expression.ts'
import { put } from '../../db/table.ts'
import {
  isAwaitingRelay,
  isOfChild,
  markRelayed,
  type OutboxRow,
  outbox,
  type RelayMessage,
} from '../../events/outbox.ts'
import { alertsOf, raiseAlerts } from '../../notifications/alerts/raise.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { type Delivery, firstAttempts } from './lifecycle/row.ts'
import { deliveryWork } from './work.ts'

/** Writes the deliveries that no earlier or concurrent relay has written. */
const writeRows = async (ctx: Context, due: readonly Delivery[]): Promise<void> => {
  const writes = due.map((delivery) => deliveryWork.beginWrite(delivery, ctx.clock.now()))
  await Promise.all(writes.map((write) => ifCurrent(put(ctx, write.put, absent('PK')))))
}

/** Sends the same envelopes as webhooks, so that a receiver of both recognizes an event by its ID. */
const publish = (ctx: Context, { events }: OutboxRow) =>
  putEvents(
    ctx,
    events.map((event) => ({
      detailType: event.type,
      detail: JSON.stringify(event),
      atMs: Date.parse(event.createdAt),
    })),
  )

/** Puts the events on the bus, and notifies people of the workspace. A child workspace does so for its own events. */
const tellOthers = async (ctx: Context, row: OutboxRow): Promise<void> => {
  if (isOfChild(row)) return
  await publish(ctx, row)
  await raiseAlerts(ctx, alertsOf(row.events))
}

/**
 * Fans out the events of an outbox row: deliveries, the bus, alerts, then the mark. No lease is needed: a relay that
 * repeats another one, or runs in parallel, does nothing new except sending the same ids to the bus again. A bus that is
 * down delays no webhook, and the row is relayed again until everything is done.
 *
 * A single delivery gets no row before its first attempt: the outbox row stays in the sweep index until the sender has
 * logged the attempt and marks the row. If that takes longer than a minute, the next relay writes the row of the delivery.
 */
export const relayEvents = async (given: Context, { workspaceId, outboxId: id }: RelayMessage): Promise<void> => {
  const [row, workspace] = await Promise.all([
    outbox.get(given, { workspaceId, id }),
    workspaces.get(given, { id: workspaceId }),
  ])
  if (row?.sweepAtMs === undefined || !workspace) return
  const ctx = withCorrelation(given, row.correlationId)
  const due = firstAttempts(row, workspace, ctx.clock.now())
  const isSingle = isAwaitingRelay(row) && due.length === 1
  const [others] = isSingle ? await Promise.allSettled([tellOthers(ctx, row)]) : []
  if (others?.status === 'fulfilled') return deliveryWork.enqueueAll(ctx, due)
  await writeRows(ctx, due)
  await deliveryWork.enqueueAll(ctx, due)
  if (others?.status === 'rejected') throw others.reason
  await tellOthers(ctx, row)
  await markRelayed(ctx, row)
}
