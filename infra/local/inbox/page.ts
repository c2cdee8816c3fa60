import { type Html, html } from '../../../shared/pages/html.ts'
import { page, timeTag } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'
import type { Behavior } from './behaviors.ts'
import type { Delivery } from './delivery.ts'

const maxCards = 200

/** The page of the webhooks that were received, newest first. */
export function drawDeliveries(
  deliveries: readonly Delivery[],
  behaviors: readonly Behavior[],
  servers: PageServers,
): Answer {
  const cards = deliveries.map(drawCard).slice(-maxCards).reverse()
  const main = html`${drawBehaviors(behaviors)}
${cards.length > 0 ? cards : html`<p class="empty">Nothing received yet. Point a webhook at ${servers.inbox}/hooks/any-name</p>`}`
  return page({ title: 'Webhooks', main, servers, narrow: true, live: true })
}

function drawBehaviors(pending: readonly Behavior[]): Html | undefined {
  if (pending.length === 0) return undefined
  return html`<div class="notice">${pending.map(
    ({ name, times, ...how }) => html`<span class="badge bad">${name}: ${JSON.stringify(how)} ×${times}</span>`,
  )}</div>`
}

function drawCard(delivery: Delivery, index: number): Html {
  const { endpoint, receivedAt, verified, answered } = delivery
  const event = readEvent(delivery.rawBody)
  return html`<article id="d-${index}">
<div class="top"><b>${event.type}</b>
${verified ? html`<span class="badge good">✓ verified</span>` : html`<span class="badge bad">not verified</span>`}
${answered === 200 ? undefined : html`<span class="badge">${answered === 0 ? 'not answered' : `answered ${answered}`}</span>`}
${timeTag(receivedAt)}</div>
<span class="soft">to ${endpoint}</span>
<details id="d-${index}-body"><summary>Body</summary><pre>${event.body}</pre></details>
<details id="d-${index}-headers"><summary>Headers</summary><pre>${listHeaders(delivery.headers)}</pre></details>
</article>`
}

/** The type names the card; a body that is not an event is shown unchanged. */
function readEvent(rawBody: string): { type: string; body: string } {
  try {
    const event: unknown = JSON.parse(rawBody)
    const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : 'unknown event'
    return { type, body: JSON.stringify(event, null, 2) }
  } catch {
    return { type: 'not JSON', body: rawBody }
  }
}

function listHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
