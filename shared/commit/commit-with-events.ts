import type { Context } from '../context.ts'
import { eventIdAt } from '../events/cursor.ts'
import { enqueueRelay } from '../events/enqueue-relay.ts'
import { type Event, makeEvent, type NewEvent } from '../events/event.ts'
import { recordEvents } from '../events/outbox.ts'
import { ulid } from '../ids.ts'
import { commit, type Unit } from './commit.ts'

/** A unit with the events of its change, in the order of their ids. */
export interface EventfulUnit extends Unit {
  events: readonly NewEvent[]
  /** What follows the transaction, beside the relay. */
  follow?: () => Promise<unknown>
}

interface Options {
  /** False if nobody waits for the events: the sweeper relays them, within two minutes. */
  relay?: boolean
}

/**
 * Commits a change with its events, and sends them to the relay. An event has its id before it is written, because rows
 * store the id of the last event about them: `make` gets the id by the position of the event in the unit.
 */
export const commitWithEvents = async (
  ctx: Context,
  workspace: Event['workspace'],
  make: (eventId: (index: number) => string) => EventfulUnit,
  { relay = true }: Options = {},
): Promise<void> => {
  const nowMs = ctx.clock.now()
  const outboxId = ulid(nowMs)
  const idAt = (index: number) => eventIdAt(outboxId, index)
  const { events, follow, writes, ...unit } = make(idAt)
  const made = events.map(({ type, data, ...place }, index) =>
    makeEvent(type, workspace, nowMs, { id: idAt(index), ...place }, data),
  )
  await commit(ctx, workspace, { ...unit, writes: [...writes, ...recordEvents(ctx, outboxId, workspace.id, made)] })
  const relayed = relay && made.length > 0 ? enqueueRelay(ctx, workspace.id, outboxId) : undefined
  await Promise.all([relayed, follow?.()])
}
