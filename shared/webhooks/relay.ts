import { sendAll } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { absent, present } from '../db/expression.ts'
import { batchGet, ConditionFailed, put, update } from '../db/table.ts'
import { wake } from '../db/wake.ts'
import type { RelayMessage } from '../posts/messages.ts'
import { type Workspace, workspaces } from '../workspaces/workspace.ts'
import { deliveries, pendingDelivery } from './delivery.ts'
import { type OutboxRow, outbox, relayed } from './event.ts'
import type { DeliverMessage } from './messages.ts'

const slackMs = 60_000

/** One delivery per event and endpoint that wants it. */
const planned = (row: OutboxRow, workspace: Workspace, nowMs: number) =>
  row.events.flatMap((event, eventIndex) =>
    workspace.endpoints
      .filter(({ enabled, events }) => enabled && events.includes(event.type))
      .map(({ id }) => {
        const { workspaceId, id: outboxId } = row
        const of = { workspaceId, outboxId, eventIndex, eventId: event.id, eventType: event.type }
        return pendingDelivery({ ...of, endpointId: id, attempt: 1, firstAtMs: nowMs }, nowMs, nowMs)
      }),
  )

/** Fans the events of an outbox row out: rows first, then messages, then the mark; done twice, it does nothing new. */
export const relayEvents = async (ctx: Context, message: RelayMessage): Promise<void> => {
  const key = { workspaceId: message.workspaceId, id: message.outboxId }
  const found = await batchGet(ctx, [outbox.key(key), workspaces.key({ id: message.workspaceId })])
  const row = outbox.from(found, key)
  const workspace = workspaces.from(found, { id: message.workspaceId })
  if (!row || !workspace || found.item(outbox.key(key))?.['wakeAt'] === undefined) return
  const now = ctx.clock.now()
  const due = planned(row, workspace, now)
  await Promise.all(
    due.map(async (delivery) => {
      try {
        await put(ctx, { ...deliveries.item(delivery), ...wake(delivery.id, now + slackMs) }, absent('PK'))
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error
      }
    }),
  )
  const group = row.workspaceId
  const messages = due.map(
    ({ workspaceId, endpointId, id }): DeliverMessage => ({ workspaceId, endpointId, deliveryId: id }),
  )
  await sendAll(
    ctx,
    'deliver',
    messages.map((body) => ({ body, group })),
  )
  await update(ctx, outbox.key(key), relayed, present('PK')).catch((error: unknown) => {
    // Removed meanwhile, with its workspace.
    if (!(error instanceof ConditionFailed)) throw error
  })
}
