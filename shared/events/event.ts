import * as z from 'zod/mini'
import { stableId } from '../ids.ts'
import { type EventType, eventTypes } from './types.ts'

/** The version of the payloads' shape. Every event carries it. */
export const apiVersion = '2026-11-21'

/** The envelope of an event as webhooks, the event bus, and the event log carry it. */
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

/** Makes the event with number `sequence` about `subject`. Its id is deterministic. */
export const makeEvent = (
  type: EventType,
  workspace: Event['workspace'],
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
