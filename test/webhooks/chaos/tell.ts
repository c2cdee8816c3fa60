import { setTimeout as sleep } from 'node:timers/promises'
import { sendAll } from '../../../shared/aws/queue.ts'
import type { Context } from '../../../shared/context.ts'
import { transact } from '../../../shared/db/table.ts'
import { type Event, eventIdAt, makeEvent } from '../../../shared/events/event.ts'
import { recordEvents } from '../../../shared/events/outbox.ts'
import { eventTypes } from '../../../shared/events/types.ts'
import { ulid } from '../../../shared/ids.ts'
import type { Tenant } from './tenants.ts'

/** An emitted event, and when its transaction was committed. */
export interface EmittedEvent {
  event: Event
  committedAtMs: number
}

const tickMs = 100
const perSubject = 6

/** Records events as the product does, each in its own transaction followed by its message. */
const emitOne = async (ctx: Context, makeAt: (outboxId: string) => Event): Promise<EmittedEvent> => {
  const outboxId = ulid(ctx.clock.now())
  const event = makeAt(outboxId)
  const { id: workspaceId } = event.workspace
  await transact(ctx, () => recordEvents(ctx, outboxId, event.workspace, [event]))
  const committedAtMs = performance.now()
  await sendAll(ctx, 'events', [{ body: { workspaceId, outboxId }, group: workspaceId }])
  return { event, committedAtMs }
}

/**
 * Makes the n-th event of all: tenants take turns, and each subject goes through all types, one after the other. Each event
 * of a subject names the one before it.
 */
const makeEvents = (ctx: Context, tenants: readonly Tenant[], run: string) => {
  const lastIds = new Map<string, string>()
  return (n: number) =>
    (outboxId: string): Event => {
      const tenant = tenants[n % tenants.length]
      if (!tenant) throw new Error('there are no tenants')
      const nth = Math.floor(n / tenants.length)
      const subject = `${run}-${tenant.workspace.id}-${Math.floor(nth / perSubject)}`
      const type = eventTypes[nth % eventTypes.length] ?? 'post.published'
      const id = eventIdAt(outboxId, 0)
      const order = { id, sequence: (nth % perSubject) + 1, previousEventId: lastIds.get(subject) }
      lastIds.set(subject, id)
      return makeEvent(type, tenant.workspace, ctx.clock.now(), order, { postId: subject })
    }
}

interface Pace {
  perSecond: number
  /** Whether the receivers are so far behind that emitting should pause. */
  isBehind?(emittedCount: number): boolean
}

/** Emits so many events at a steady rate. */
export const emitEvents = async (
  ctx: Context,
  tenants: readonly Tenant[],
  run: string,
  count: number,
  { perSecond, isBehind = () => false }: Pace,
): Promise<EmittedEvent[]> => {
  const telling: Promise<EmittedEvent>[] = []
  const eventAt = makeEvents(ctx, tenants, run)
  let allowed = 1
  let beforeMs = performance.now()
  while (telling.length < count) {
    const nowMs = performance.now()
    if (!isBehind(telling.length)) allowed = Math.min(count, allowed + ((nowMs - beforeMs) / 1000) * perSecond)
    beforeMs = nowMs
    while (telling.length + 1 <= allowed) telling.push(emitOne(ctx, eventAt(telling.length)))
    await sleep(tickMs)
  }
  return Promise.all(telling)
}
