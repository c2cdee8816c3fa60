import { orLeaveToSweeper, send } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { isNotified, type NewEvent } from '../events/event.ts'
import {
  type DeliverMessage,
  deliveryId,
  type EventSource,
  enqueueRelay,
  type Subscriber,
  subscribersOf,
} from '../events/outbox.ts'
import { commitForSweeper, type EventfulUnit, type UnitWith } from './commit-for-sweeper.ts'

/**
 * Starts the processing of an outbox row's events immediately. A single delivery without an event bus and notifications is
 * sent to its worker, which checks the subscriptions again; everything else is sent to the relay. If the queue rejects the
 * message, the sweeper sends the row to the relay within a minute.
 */
const dispatchEvents = (
  ctx: Context,
  { id: workspaceId, endpoints }: { id: string; endpoints: readonly Subscriber[] },
  outboxId: string,
  events: readonly Pick<NewEvent, 'type'>[],
): Promise<void> => {
  const [first, ...others] = subscribersOf(events, endpoints)
  const isAlone =
    others.length === 0 && ctx.env('EVENT_BUS_NAME') === '' && !events.some(({ type }) => isNotified(type))
  if (first === undefined || !isAlone) return enqueueRelay(ctx, workspaceId, outboxId)
  const { endpointId, eventIndex } = first
  const body: DeliverMessage = { workspaceId, endpointId, deliveryId: deliveryId(outboxId, eventIndex, 1) }
  return orLeaveToSweeper(ctx, { outboxId }, () => send(ctx, 'deliver', { body, group: endpointId }))
}

interface RelayedUnit extends EventfulUnit {
  /** What follows the transaction, in addition to the deliveries. */
  follow?: () => Promise<unknown>
}

/** Commits a change with its events, and starts their delivery immediately. */
export const commitWithEvents = async (
  ctx: Context,
  workspace: EventSource & { endpoints: readonly Subscriber[] },
  unitWith: UnitWith<RelayedUnit>,
): Promise<void> => {
  const { unit, outboxId } = await commitForSweeper(ctx, workspace, unitWith)
  const { application } = workspace
  const sent =
    outboxId === undefined
      ? []
      : [
          dispatchEvents(ctx, workspace, outboxId, unit.events),
          ...(application === undefined ? [] : [enqueueRelay(ctx, application.workspaceId, outboxId)]),
        ]
  await Promise.all([...sent, unit.follow?.()])
}
