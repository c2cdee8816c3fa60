import { type Html, html } from '../../../shared/pages/html.ts'
import { page, timeTag } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'
import type { SentMail } from './delivery.ts'
import { linkify } from './linkify.ts'

const maxCards = 200

/** The page of the emails that would have been sent, newest first; their links work. */
export function drawMails(mails: readonly SentMail[], servers: PageServers): Answer {
  const cards = mails.map(drawMail).slice(-maxCards).reverse()
  const main = html`${cards.length > 0 ? cards : html`<p class="empty">No mail was sent yet</p>`}`
  return page({ title: 'Mail', main, servers, narrow: true, live: true })
}

function drawMail(mail: SentMail, index: number): Html {
  return html`<article id="m-${index}">
<div class="top"><b>${mail.subject}</b>${timeTag(mail.sentAt)}</div>
<span class="soft">${mail.from} → ${mail.to.join(', ')}</span>
<p class="text">${linkify(mail.text)}</p>
${mail.html ? html`<details id="m-${index}-html"><summary>HTML source</summary><pre>${linkify(mail.html)}</pre></details>` : undefined}
</article>`
}
