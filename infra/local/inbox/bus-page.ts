import { html } from '../../../shared/pages/html.ts'
import type { BusEvent } from '../engines/bus.ts'
import type { Answer } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'
import { type ArrivedEvent, drawEventPage } from './event-page.ts'

/** The page of the events on the bus, as the target of a rule would get them. */
export function drawBusEvents(
  events: readonly BusEvent[],
  { query, servers }: { query: URLSearchParams; servers: PageServers },
): Answer {
  return drawEventPage(events.map(asEvent), query, {
    title: 'Bus',
    targetLabel: 'Bus',
    empty: html`Nothing is on the event bus yet`,
    servers,
  })
}

function asEvent({ bus, ...event }: BusEvent): ArrivedEvent {
  return {
    id: `b-${event.id}`,
    at: event.time,
    type: event['detail-type'],
    target: bus,
    event: event.detail,
    more: html`<pre>${JSON.stringify(event, null, 2)}</pre>`,
  }
}
