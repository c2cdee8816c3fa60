import type { Context } from '../context.ts'
import { eventIdAt, makeEvent, type NewEvent } from '../events/event.ts'
import { type EventSource, recordEvents } from '../events/outbox.ts'
import { ulid } from '../ids.ts'
import { commit, type Unit } from './commit.ts'

/** A unit with the events of its change, in the order of their ids. */
export interface EventfulUnit extends Unit {
  events: readonly NewEvent[]
}

/** Creates a unit with the IDs of its events, because rows store the ID of the last event about them. */
export type UnitWith<U extends EventfulUnit> = (eventId: (index: number) => string) => U

/**
 * Commits a change with events that no caller waits for: the sweeper relays them, within two minutes. The function needs
 * no right to send to their queue. Returns the unit, and the id of its row in the outbox if it has events.
 */
export const commitForSweeper = async <U extends EventfulUnit>(
  ctx: Context,
  workspace: EventSource,
  unitWith: UnitWith<U>,
): Promise<{ unit: U; outboxId: string | undefined }> => {
  const nowMs = ctx.clock.now()
  const outboxId = ulid(nowMs)
  const idAt = (index: number) => eventIdAt(outboxId, index)
  const unit = unitWith(idAt)
  const events = unit.events.map(({ type, data, ...position }, index) =>
    makeEvent(type, workspace, nowMs, { id: idAt(index), ...position }, data),
  )
  const writes = [...unit.writes, ...recordEvents(ctx, outboxId, workspace, events)]
  await commit(ctx, workspace, { ...unit, writes })
  return { unit, outboxId: events.length > 0 ? outboxId : undefined }
}
