import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import type { Write } from '../db/table.ts'
import { asleep, wake } from '../db/wake.ts'
import { stableId } from '../ids.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The event types of the specification (Events). */
export const eventTypes = [
  'post.scheduled',
  'post.rescheduled',
  'post.cancelled',
  'post.published',
  'post.publish_failed',
  'social_account.reconnect_required',
] as const
export type EventType = (typeof eventTypes)[number]

/** The version of the payloads' shape, carried by every event. */
export const apiVersion = '2026-11-21'

/** The envelope of an event as receivers get it (spec, Webhook event envelope). */
export const Event = z
  .object({
    id: z.string(),
    type: z.enum(eventTypes),
    apiVersion: z.string(),
    createdAt: z.string(),
    workspace: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
    data: z.record(z.string(), z.unknown()),
  })
  .register(z.globalRegistry, { id: 'WebhookEvent' })
export type Event = z.infer<typeof Event>

/** The events of one transaction, waiting to be relayed; kept 30 days after that. */
export const OutboxRow = z.object({
  id: z.string(),
  workspaceId: z.string(),
  events: z.array(Event),
  ttl: z.number(),
})
export type OutboxRow = z.infer<typeof OutboxRow>

export const outbox = entity({
  type: 'Outbox',
  shape: OutboxRow,
  key: ({ workspaceId, id }: Pick<OutboxRow, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}#EVENT`, SK: id }),
})

const keptDays = 30
const relayDelayMs = 60_000

/** An event about the thing `subject` that is its `sequence`-th; the id is the same whoever computes it. */
export const makeEvent = (
  type: EventType,
  workspace: Pick<Workspace, 'id' | 'name' | 'slug'>,
  nowMs: number,
  subject: string,
  sequence: number,
  data: Record<string, unknown>,
): Event => ({
  id: stableId('evt', subject, sequence),
  type,
  apiVersion,
  createdAt: new Date(nowMs).toISOString(),
  workspace: { id: workspace.id, name: workspace.name, slug: workspace.slug },
  data: {
    ...data,
    sequence,
    previousEventId: sequence > 1 ? stableId('evt', subject, sequence - 1) : null,
  },
})

/** The write that puts events into the outbox; the sweeper finds them if nobody relays them within a minute. */
export const recordEvents = (id: string, workspaceId: string, events: readonly Event[], nowMs: number): Write[] => {
  if (events.length === 0) return []
  const row = { id, workspaceId, events: [...events], ttl: Math.ceil(nowMs / 1000) + keptDays * 86_400 }
  return [{ put: { ...outbox.item(row), ...wake(id, nowMs + relayDelayMs) } }]
}

/** The change that marks an outbox row as relayed. */
export const relayed = { remove: asleep }
