import * as z from 'zod/mini'
import { type Html, html } from '../../../shared/pages/html.ts'
import { page, timeTag } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'

/** An event that has arrived, as its line shows it. */
export interface ArrivedEvent {
  id: string
  at: number | string
  type: string
  /** The name of the endpoint or the bus. */
  target: string
  /** The event as JSON, if it is any. */
  event: unknown
  /** How the arrival went. */
  result?: Html | undefined
  /** What the line unfolds. */
  more: Html
}

interface EventPage {
  title: string
  /** What `target` is called. */
  targetLabel: string
  empty: Html
  above?: Html | undefined
  servers: PageServers
}

const maxRows = 200

const text = z.catch(z.optional(z.string()), undefined)
const Data = z.object({ content: text, platform: text, username: text, socialAccountId: text })
const Event = z.object({ data: Data })

/** A page with one line for each event, newest first, filtered by its target and its type. */
export function drawEventPage(events: readonly ArrivedEvent[], query: URLSearchParams, parts: EventPage): Answer {
  const [target, type] = [query.get('target') ?? '', query.get('type') ?? '']
  const matching = events.filter(
    (event) => (target === '' || event.target === target) && (type === '' || event.type === type),
  )
  const rows = matching.slice(-maxRows).reverse().map(drawRow)
  const filters = html`<form class="filters">
${choice(parts.targetLabel, 'target', target, new Set(events.map((event) => event.target)))}
${choice('Event type', 'type', type, new Set(events.map((event) => event.type)))}
<button>Filter</button></form>`
  const main = html`${parts.above}${events.length > 0 ? filters : undefined}
${rows.length > 0 ? rows : html`<p class="empty">${events.length > 0 ? 'No event matches' : parts.empty}</p>`}`
  return page({ title: parts.title, main, servers: parts.servers, live: true })
}

function choice(label: string, name: string, chosen: string, values: ReadonlySet<string>): Html {
  return html`<label>${label}<select name="${name}"><option value="">All</option>${[...values].map(
    (value) => html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${value}</option>`,
  )}</select></label>`
}

function drawRow({ id, at, type, target, event, result, more }: ArrivedEvent): Html {
  const { content, platform, username, socialAccountId } = Event.safeParse(event).data?.data ?? {}
  const about = [platform, username ?? socialAccountId].filter((part) => part !== undefined)
  return html`<article id="${id}" class="row"><details id="${id}-more"><summary>
${timeTag(at)}<b>${type}</b><span class="words">${content?.slice(0, 200)}</span>
<span class="soft">${about.join(' · ')}</span><span class="soft">→ ${target}</span>${result}</summary>
${more}</details></article>`
}
