import { type Html, html } from '../../../shared/pages/html.ts'
import type { Answer } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'
import type { Behavior } from './behaviors.ts'
import type { Delivery } from './delivery.ts'
import { type ArrivedEvent, drawEventPage } from './event-page.ts'

/** The deliveries that the page knows: its filters read each one. */
const maxDeliveries = 2_000

/** The page of the webhooks that were received. */
export function drawDeliveries(
  deliveries: readonly Delivery[],
  behaviors: readonly Behavior[],
  { query, servers }: { query: URLSearchParams; servers: PageServers },
): Answer {
  return drawEventPage(deliveries.slice(-maxDeliveries).map(asEvent), query, {
    title: 'Webhooks',
    targetLabel: 'Endpoint',
    above: drawBehaviors(behaviors),
    empty: html`Nothing received yet. Point a webhook at ${servers.inbox}/hooks/any-name`,
    servers,
  })
}

function drawBehaviors(pending: readonly Behavior[]): Html | undefined {
  if (pending.length === 0) return undefined
  return html`<div class="notice">${pending.map(
    ({ name, times, ...how }) => html`<span class="badge bad">${name}: ${JSON.stringify(how)} ×${times}</span>`,
  )}</div>`
}

function asEvent(delivery: Delivery, index: number): ArrivedEvent {
  const { endpoint, receivedAt, verified, answered, rawBody, headers } = delivery
  const attempt = headers['x-service-delivery-attempt']
  const { type, event } = readEvent(rawBody)
  const body = event === undefined ? rawBody : JSON.stringify(event, null, 2)
  return {
    id: `d-${index}`,
    at: receivedAt,
    type,
    target: endpoint,
    event,
    result: html`${attempt === undefined ? undefined : html`<span class="soft">attempt ${attempt}</span>\n`}${verified ? html`<span class="badge good">✓ verified</span>` : html`<span class="badge bad">not verified</span>`}
<span class="badge ${answered >= 200 && answered < 300 ? 'good' : 'bad'}">${answered === 0 ? 'not answered' : `answered ${answered}`}</span>`,
    more: html`<pre>${body}</pre><pre>${listHeaders(headers)}</pre>`,
  }
}

/** The type of an event. A body that is not one is shown unchanged. */
function readEvent(rawBody: string): { type: string; event?: unknown } {
  try {
    const event: unknown = JSON.parse(rawBody)
    const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : 'unknown event'
    return { type, event }
  } catch {
    return { type: 'not JSON' }
  }
}

function listHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
