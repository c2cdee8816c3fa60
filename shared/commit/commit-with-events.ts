import type { Context } from '../context.ts'
import type { Event } from '../events/event.ts'
import type { Subscriber } from '../events/subscribers.ts'
import { commitForSweeper, type EventfulUnit, type UnitWith } from './commit-for-sweeper.ts'
import { dispatchEvents } from './dispatch-events.ts'

interface RelayedUnit extends EventfulUnit {
  /** What follows the transaction, beside the deliveries. */
  follow?: () => Promise<unknown>
}

/** Commits a change with its events, and starts their delivery at once. */
export const commitWithEvents = async (
  ctx: Context,
  workspace: Event['workspace'] & { endpoints: readonly Subscriber[] },
  unitWith: UnitWith<RelayedUnit>,
): Promise<void> => {
  const { unit, outboxId } = await commitForSweeper(ctx, workspace, unitWith)
  const relayed = outboxId === undefined ? undefined : dispatchEvents(ctx, workspace, outboxId, unit.events)
  await Promise.all([relayed, unit.follow?.()])
}
