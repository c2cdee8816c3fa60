import { type Html, html } from '../../../shared/pages/html.ts'
import type { BusEvent } from '../engines/bus.ts'
import { page, timeTag } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'

const maxCards = 200

/** The page of the events on the bus, newest first, as the target of a rule would get them. */
export function drawBusEvents(events: readonly BusEvent[], servers: PageServers): Answer {
  const cards = events.slice(-maxCards).reverse().map(drawCard)
  const main = html`${cards.length > 0 ? cards : html`<p class="empty">Nothing is on the event bus yet</p>`}`
  return page({ title: 'Bus', main, servers, narrow: true, live: true })
}

function drawCard({ bus, ...event }: BusEvent): Html {
  return html`<article id="b-${event.id}">
<div class="top"><b>${event['detail-type']}</b>${timeTag(event.time)}</div>
<span class="soft">on ${bus}</span>
<details id="b-${event.id}-body"><summary>Event</summary><pre>${JSON.stringify(event, null, 2)}</pre></details>
</article>`
}
