import type { Event } from '../../events/event.ts'
import type { Workspace } from '../../workspaces/workspace.ts'

/** Every pair of an event and an enabled endpoint that is subscribed to its type. */
export const subscribersOf = <E extends Pick<Event, 'type'>>(events: readonly E[], endpoints: Workspace['endpoints']) =>
  events.flatMap((event, eventIndex) =>
    endpoints
      .filter(({ enabled, events: types }) => enabled && types.includes(event.type))
      .map(({ id: endpointId }) => ({ event, eventIndex, endpointId })),
  )
