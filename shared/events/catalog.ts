import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { aiEvents } from './families/ai.ts'
import type { order } from './families/define-event.ts'
import { type post, postEvents, type thread } from './families/posts.ts'
import { socialAccountEvents } from './families/social-accounts.ts'
import { workspaceEvents } from './families/workspaces.ts'
import { type EventType, eventTypes } from './types.ts'

/** Every event type: what it means, the `data` at the current `apiVersion`, and an example. */
export const events = { ...postEvents, ...socialAccountEvents, ...workspaceEvents, ...aiEvents } satisfies Record<
  EventType,
  unknown
>

/** What an event type means, in one sentence. */
export const describeEvent = (type: EventType): string => events[type].description

/** An example of an event's data. */
export const eventExample = (type: EventType): Readonly<Record<string, unknown>> => events[type].example

/** An event type as the catalog shows it; `schema` is the JSON Schema of the event's `data`. */
export const CatalogEntry = z
  .object({
    type: described(z.enum(eventTypes), 'The name of the type.'),
    description: described(z.string(), 'When the event is sent.'),
    example: described(z.record(z.string(), z.unknown()), 'An example of `data`.'),
    schema: described(z.record(z.string(), z.unknown()), 'The JSON Schema of `data`.'),
    extension: described(z.boolean(), 'Whether an endpoint receives the type only if it subscribes to it by name.'),
    apiVersion: described(z.string(), 'The version of the shape of `data`, a date.'),
  })
  .register(z.globalRegistry, { id: 'WebhookEventType', description: 'A type of event.' })

type Payloads = { [T in EventType]: z.infer<(typeof events)[T]['data']> }

export type PostEventType = Extract<EventType, `post.${string}`>

/** The fields of an event type beyond those of every post event. */
export type PostEventData<T extends PostEventType> = Omit<
  Payloads[T],
  keyof typeof post | keyof typeof order | 'status'
>

/** The fields of the events about accounts. */
export type AccountEventData = {
  [T in Extract<EventType, `social_account.${string}`>]: Omit<Payloads[T], keyof typeof order>
}

/** The fields of the event of an AI job. */
export type JobEventData = Omit<Payloads['ai.completed'], keyof typeof order>
/** The fields of the events about billing. */
export type BillingEventData = {
  [T in Extract<EventType, `workspace.${string}`>]: Omit<Payloads[T], keyof typeof order>
}

/** How much of a partly published thread is live. */
export type ThreadData = Pick<Payloads['post.publish_failed'], keyof typeof thread>
