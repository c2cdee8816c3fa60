import * as z from 'zod/mini'
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

/** Where an event is, and its place among the events about its subject, of which each names the one before it. */
export interface EventPlace {
  /** `eventIdAt` its position in the outbox. */
  id: string
  sequence: number
  previousEventId: string | undefined
}

export const makeEvent = (
  type: EventType,
  workspace: Event['workspace'],
  nowMs: number,
  { id, sequence, previousEventId }: EventPlace,
  data: Record<string, unknown>,
): Event => ({
  id,
  type,
  apiVersion,
  createdAt: new Date(nowMs).toISOString(),
  workspace: { id: workspace.id, name: workspace.name, slug: workspace.slug },
  data: {
    ...data,
    sequence,
    previousEventId: previousEventId ?? null,
  },
})
