import { type Html, html } from '../../../shared/pages/html.ts'
import { page, timeTag } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'
import type { ShownPush } from './message.ts'

const maxCards = 200

/** The page of the notifications that devices would show, newest first. */
export function drawPushes(pushes: readonly ShownPush[], servers: PageServers): Answer {
  const cards = pushes.map(drawPush).slice(-maxCards).reverse()
  const main = html`${cards.length > 0 ? cards : html`<p class="empty">No push message was sent yet</p>`}`
  return page({ title: 'Push', main, servers, narrow: true, live: true })
}

function drawPush({ kind, to, title, body, url, receivedAt }: ShownPush, index: number): Html {
  return html`<article id="p-${index}">
<div class="top"><b>${title}</b><span class="badge">${kind === 'expo' ? 'App' : 'Browser'}</span>${timeTag(receivedAt)}</div>
<p class="text">${body}</p>
<span class="soft foot">Opens <a href="${url}">${url}</a></span>
<span class="soft foot">${to}</span>
</article>`
}
