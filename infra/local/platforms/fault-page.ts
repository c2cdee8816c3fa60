import { type Html, html } from '../../../shared/pages/html.ts'
import { page } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import { type Faults, faultKinds } from './faults.ts'
import type { PageParts } from './page.ts'

type Values = Readonly<Record<string, string>>

const usual: Values = { call: '', fault: 'status', times: '1', status: '500', retryAfterSeconds: '', delayMs: '' }

/** The page on which a person makes the next calls of a platform fail. */
export function drawFaultPage(parts: PageParts, { values = usual, error }: { values?: Values; error?: string } = {}) {
  const { shown, faults, servers } = parts
  const main = html`${error === undefined ? undefined : html`<p class="notice"><span class="badge bad">${error}</span></p>`}
<article><form method="post" action="/fault-panel">
<label>Which calls<select name="call">${shown.map((entry) => drawCalls(entry, values['call']))}</select></label>
<label>What happens<select name="fault">${faultKinds.map((kind) => option(kind, kind, values['fault']))}</select></label>
${field('times', 'How many times', values)}
${field('status', html`Status, for <code>status</code>`, values)}
${field('retryAfterSeconds', html`Retry-After in seconds, for <code>status</code> and <code>rate_limited</code>`, values)}
${field('delayMs', 'Delay in milliseconds', values)}
<div class="actions"><button class="main">Add the fault</button></div>
</form></article>
${drawPending(faults)}`
  return page({ title: 'Faults', main, servers, narrow: true })
}

function drawCalls({ platform, standIn }: PageParts['shown'][number], chosen: string | undefined): Html {
  const operations = [...new Set(standIn.routes.map(({ operation }) => operation))]
  return html`<optgroup label="${platform.name}">${['*', ...operations].map((operation) =>
    option(`${platform.id} ${operation}`, `${platform.name}: ${operation === '*' ? 'any call' : operation}`, chosen),
  )}</optgroup>`
}

const option = (value: string, text: string, chosen: string | undefined): Html =>
  html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${text}</option>`

const field = (name: string, label: string | Html, values: Values): Html =>
  html`<label>${label}<input name="${name}" inputmode="numeric" value="${values[name] ?? ''}"></label>`

function drawPending(faults: Faults): Html {
  const pending = faults.pending()
  if (pending.length === 0) return html`<p class="empty">No fault is pending: every call is answered.</p>`
  const rows = pending.map(
    ({ platform, operation, fault, times }) =>
      html`<article><div class="top"><b>${platform} ${operation}</b><span class="badge bad">${fault} ×${times}</span></div></article>`,
  )
  return html`${rows}<form method="post" action="/fault-panel"><button name="clear" value="yes">Remove all faults</button></form>`
}

const numberOf = (text: string | null): number | undefined => (text?.trim() ? Number(text) : undefined)

/** Takes the form of the page. The page shows its errors, with what was typed. */
export function takeFaultForm(parts: PageParts, body: Buffer | undefined): Answer {
  const form = new URLSearchParams(String(body))
  const back: Answer = { status: 303, headers: { location: '/fault-panel' } }
  if (form.has('clear')) {
    parts.faults.clear()
    return back
  }
  const [platform = '', operation = '*'] = (form.get('call') ?? '').split(' ')
  const [status, retryAfterSeconds, delayMs] = ['status', 'retryAfterSeconds', 'delayMs'].map((name) =>
    numberOf(form.get(name)),
  )
  const script = {
    platform,
    operation,
    fault: form.get('fault'),
    times: numberOf(form.get('times')),
    ...(form.get('fault') === 'status' ? { status } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(delayMs === undefined ? {} : { delayMs }),
  }
  try {
    parts.faults.add(script as Parameters<Faults['add']>[0])
    return back
  } catch (error) {
    const values = Object.fromEntries(form)
    return {
      ...drawFaultPage(parts, { values, error: error instanceof Error ? error.message : String(error) }),
      status: 400,
    }
  }
}
