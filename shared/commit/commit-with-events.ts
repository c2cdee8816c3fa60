import type { Context } from '../context.ts'
import type { Event } from '../events/event.ts'
import { enqueueRelay } from '../events/outbox.ts'
import { commitForSweeper, type EventfulUnit, type UnitWith } from './commit-for-sweeper.ts'

interface RelayedUnit extends EventfulUnit {
  /** What follows the transaction, beside the relay. */
  follow?: () => Promise<unknown>
}

/** Commits a change with its events, and sends them to the relay at once. */
export const commitWithEvents = async (
  ctx: Context,
  workspace: Event['workspace'],
  unitWith: UnitWith<RelayedUnit>,
): Promise<void> => {
  const { unit, outboxId } = await commitForSweeper(ctx, workspace, unitWith)
  const relayed = outboxId === undefined ? undefined : enqueueRelay(ctx, workspace.id, outboxId)
  await Promise.all([relayed, unit.follow?.()])
}
