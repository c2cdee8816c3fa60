import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import type { Write } from '../db/table.ts'
import { asleep, wake } from '../db/wake.ts'
import { stableId } from '../ids.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { expiryOf } from './retention.ts'

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

/** Some types in a query string, separated by commas. */
export const EventTypeList = z
  .pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => text.split(',')),
      z.array(z.enum(eventTypes)),
    ),
  )
  .register(z.globalRegistry, { description: 'Types of events, separated by commas.' })

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

/** The events of one transaction, waiting to be relayed; kept until they expire. */
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
export const recordEvents = (ctx: Context, id: string, workspaceId: string, events: readonly Event[]): Write[] => {
  if (events.length === 0) return []
  const row = { id, workspaceId, events: [...events], ttl: expiryOf(ctx) }
  return [{ put: { ...outbox.item(row), ...wake(id, ctx.clock.now() + relayDelayMs) } }]
}

/** The change that marks an outbox row as relayed. */
export const relayed = { remove: ['relayUntilMs', ...asleep] }
