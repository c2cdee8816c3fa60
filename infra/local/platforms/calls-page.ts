import { type Html, html } from '../../../shared/pages/html.ts'
import { page, timeTag } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import type { RecordedCall } from './calls.ts'
import type { PageParts } from './page.ts'

const maxRows = 200

/** The page of the requests to the stand-ins, newest first. It shows no headers or bodies, because they contain secrets. */
export function drawCallsPage({ shown, calls, servers }: PageParts, query: URLSearchParams): Answer {
  const [platform, text, failed] = [query.get('platform') ?? '', query.get('q') ?? '', query.has('failed')]
  const matching = calls().filter(
    (call) =>
      (platform === '' || call.platform === platform) &&
      `${call.operation} ${call.method} ${call.path}`.toLowerCase().includes(text.toLowerCase()) &&
      (!failed || call.status === 0 || call.status >= 400),
  )
  const rows = matching.slice(-maxRows).reverse().map(drawCall)
  const main = html`<form class="filters">
<label>Platform<select name="platform"><option value="">All</option>${shown.map(
    ({ platform: { id, name } }) =>
      html`<option value="${id}"${id === platform ? html` selected` : undefined}>${name}</option>`,
  )}</select></label>
<label>Operation or path<input name="q" value="${text}"></label>
<label class="check"><input type="checkbox" name="failed"${failed ? html` checked` : undefined}> Only failed</label>
<button>Filter</button></form>
<p class="soft">${matching.length === 1 ? '1 request' : `${matching.length} requests`}${matching.length > maxRows ? html`; the newest ${maxRows} are shown` : undefined}</p>
${rows.length > 0 ? rows : html`<p class="empty">No stand-in got such a request yet</p>`}`
  return page({ title: 'Requests', main, servers, narrow: true })
}

function drawCall({ platform, operation, method, path, status, at }: RecordedCall): Html {
  const isGood = status >= 200 && status < 400
  return html`<article><div class="top"><b>${platform} ${operation}</b>
<span class="badge ${isGood ? 'good' : 'bad'}">${status === 0 ? 'no answer' : status}</span>${timeTag(at)}</div>
<code class="foot soft">${method} ${path}</code></article>`
}
