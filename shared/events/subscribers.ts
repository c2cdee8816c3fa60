import type { Event } from './event.ts'

/** An endpoint as the row of its workspace has it. */
export interface Subscriber {
  id: string
  events: readonly string[]
  enabled: boolean
}

/** Every pair of an event and an enabled endpoint that is subscribed to its type. */
export const subscribersOf = <E extends Pick<Event, 'type'>>(events: readonly E[], endpoints: readonly Subscriber[]) =>
  events.flatMap((event, eventIndex) =>
    endpoints
      .filter(({ enabled, events: types }) => enabled && types.includes(event.type))
      .map(({ id: endpointId }) => ({ event, eventIndex, endpointId })),
  )
