import { putEvents } from '../aws/bus.ts'
import type { Context } from '../context.ts'
import { putRows } from '../db/bulk.ts'
import { absent, all, any, atMost, present } from '../db/expression.ts'
import { alter, ConditionFailed, put, update } from '../db/table.ts'
import { wake } from '../db/wake.ts'
import type { RelayMessage } from '../posts/messages.ts'
import { type Workspace, workspaces } from '../workspaces/workspace.ts'
import { type Delivery, deliveries, pendingDelivery } from './delivery.ts'
import { type OutboxRow, outbox, relayed } from './event.ts'
import { pointersTo } from './pointer.ts'
import { expiryOf } from './retention.ts'
import { sendOff } from './send-off.ts'

const slackMs = 60_000

const unlessLost = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error
}

/** One delivery per event and endpoint that wants it. */
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

/** Lays the rows of deliveries and pointers; where somebody has begun before, only those that do not lie already. */
const lay = async (ctx: Context, row: OutboxRow, due: readonly Delivery[], isFirst: boolean): Promise<void> => {
  const wakeAtMs = ctx.clock.now() + slackMs
  const items = [...pointersTo(row), ...due.map((one) => ({ ...deliveries.item(one), ...wake(one.id, wakeAtMs) }))]
  if (isFirst) return putRows(ctx, items)
  await Promise.all(items.map((item) => put(ctx, item, absent('PK')).catch(unlessLost)))
}

/** The very envelopes that webhooks carry, so that whoever gets both knows an event by its id. */
const publish = (ctx: Context, { events }: OutboxRow) =>
  putEvents(
    ctx,
    events.map((event) => ({
      detailType: event.type,
      detail: JSON.stringify(event),
      atMs: Date.parse(event.createdAt),
    })),
  )

/** Longer than the function may run: where it ends, its holder is dead. */
const leaseMs = 45_000

/** Takes an outbox row that is not relayed yet, and tells whether nobody has taken it before. */
const take = async (ctx: Context, key: { workspaceId: string; id: string }) => {
  const now = ctx.clock.now()
  const free = any(absent('relayUntilMs'), atMost('relayUntilMs', now))
  try {
    const change = { set: { relayUntilMs: now + leaseMs }, add: { relays: 1 } }
    const item = await update(ctx, outbox.key(key), change, all(present('wakeAt'), free))
    return { row: outbox.parse(item), isFirst: item['relays'] === 1 }
  } catch (error) {
    unlessLost(error)
    return undefined
  }
}

/**
 * Fans the events of an outbox row out: deliveries first, then the bus, then the mark. Done twice it does nothing new but
 * put the same ids on the bus again; a bus that is down delays no webhook, and the row comes back until all is done.
 */
export const relayEvents = async (ctx: Context, { workspaceId, outboxId: id }: RelayMessage): Promise<void> => {
  const [taken, workspace] = await Promise.all([
    take(ctx, { workspaceId, id }),
    workspaces.get(ctx, { id: workspaceId }),
  ])
  if (!taken || !workspace) return
  const { row, isFirst } = taken
  const due = planned(ctx, row, workspace)
  await lay(ctx, row, due, isFirst)
  await sendOff(ctx, due)
  await publish(ctx, row)
  // Lost where it was removed meanwhile, with its workspace.
  await alter(ctx, outbox.key(row), relayed, present('PK')).catch(unlessLost)
}
