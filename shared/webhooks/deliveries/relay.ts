import { putEvents } from '../../aws/bus.ts'
import { type Context, withCorrelation } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import { absent } from '../../db/expression.ts'
import { put } from '../../db/table.ts'
import { expiryOf, markRelayed, type OutboxRow, outbox, type RelayMessage } from '../../events/outbox.ts'
import { alertsOf, raiseAlerts } from '../../notifications/alerts/raise.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { type Delivery, pendingDelivery } from './lifecycle/row.ts'
import { deliveryWork } from './work.ts'

/** One delivery per event and subscribed endpoint. */
const planned = (ctx: Context, row: OutboxRow, workspace: Workspace): Delivery[] => {
  const now = ctx.clock.now()
  const begun = { attempt: 1, step: 1, firstAtMs: now, cause: 'event', ttl: expiryOf(ctx) } as const
  return row.events.flatMap((event, eventIndex) =>
    workspace.endpoints
      .filter(({ enabled, events }) => enabled && events.includes(event.type))
      .map(({ id: endpointId }) => {
        const { workspaceId, id: outboxId } = row
        const of = { workspaceId, endpointId, outboxId, eventIndex, eventId: event.id, eventType: event.type }
        return pendingDelivery({ ...of, ...begun }, now, now)
      }),
  )
}

/** Writes the deliveries that no earlier or concurrent relay has written. */
const writeRows = async (ctx: Context, due: readonly Delivery[]): Promise<void> => {
  const writes = due.map((delivery) => deliveryWork.beginWrite(delivery, ctx.clock.now()))
  await Promise.all(writes.map((write) => ifCurrent(put(ctx, write.put, absent('PK')))))
}

/** Sends the same envelopes as webhooks, so that a receiver of both recognizes an event by its id. */
const publish = (ctx: Context, { events }: OutboxRow) =>
  putEvents(
    ctx,
    events.map((event) => ({
      detailType: event.type,
      detail: JSON.stringify(event),
      atMs: Date.parse(event.createdAt),
    })),
  )

/**
 * Fans out the events of an outbox row: deliveries first, then the bus, then alerts, then the mark. No lease is needed: a relay that
 * repeats another one, or runs beside it, does nothing new except sending the same ids to the bus again. A bus that is
 * down delays no webhook, and the row is relayed again until everything is done.
 */
export const relayEvents = async (given: Context, { workspaceId, outboxId: id }: RelayMessage): Promise<void> => {
  const [row, workspace] = await Promise.all([
    outbox.get(given, { workspaceId, id }),
    workspaces.get(given, { id: workspaceId }),
  ])
  if (row?.sweepAtMs === undefined || !workspace) return
  const ctx = withCorrelation(given, row.correlationId)
  const due = planned(ctx, row, workspace)
  await writeRows(ctx, due)
  await deliveryWork.enqueueAll(ctx, due)
  await publish(ctx, row)
  await raiseAlerts(ctx, alertsOf(row.events))
  await markRelayed(ctx, row)
}
