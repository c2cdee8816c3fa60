import * as z from 'zod/mini'

/** The event types of the API. */
export const eventTypes = [
  'post.scheduled',
  'post.rescheduled',
  'post.cancelled',
  'post.published',
  'post.publish_failed',
  'social_account.reconnect_required',
] as const
export type EventType = (typeof eventTypes)[number]

/** Event types in a query string, separated by commas. */
export const EventTypeList = z
  .pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => text.split(',')),
      z.array(z.enum(eventTypes)),
    ),
  )
  .register(z.globalRegistry, { description: 'Event types, separated by commas.' })
