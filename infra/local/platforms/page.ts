import { type Html, html } from '../../../shared/pages/html.ts'
import type { ClockShift } from '../engines/clock-shift.ts'
import { page, timeTag } from '../pages/page.ts'
import type { PageServers } from '../pages/tabs.ts'
import type { Blobs } from './blobs.ts'
import type { RecordedCall } from './calls.ts'
import type { FaultScript, Faults } from './faults.ts'
import { cardId, mediaUrl } from './ledger.ts'
import type { Platform, PublicMedia, PublicPost, StandIn } from './standin.ts'

/** A stand-in with what the pages show of it. */
export interface Shown {
  platform: Platform
  standIn: StandIn
  blobs: Blobs
}

export interface PageParts {
  shown: readonly Shown[]
  faults: Faults
  calls(): readonly RecordedCall[]
  crowd(platform: string, target: string, count: number): void
  servers: PageServers
  shift?: ClockShift
}

const maxCards = 100

/** The page of the public posts: one column per platform, the newest post on top. */
export function drawPage({
  shown,
  faults,
  servers,
  url,
  platform,
}: PageParts & { url: string; platform: string | null }) {
  const drawn = shown.filter((entry) => platform === null || entry.platform.id === platform)
  const main = html`${drawFaults(faults.pending())}${drawFilter(shown, platform)}<div class="columns">${drawn.map((entry) => drawColumn(entry, url))}</div>`
  return page({ title: 'Platforms', main, servers, live: true })
}

/** A link for each platform, so that the column of a single one can be watched. */
function drawFilter(shown: readonly Shown[], platform: string | null): Html {
  const links = [{ id: null, name: 'All' }, ...shown.map((entry) => entry.platform)].map(({ id, name }) =>
    id === platform
      ? html`<a class="badge" aria-current="true" href="${id === null ? '/' : `/?platform=${id}`}">${name}</a>`
      : html`<a class="badge" href="${id === null ? '/' : `/?platform=${id}`}">${name}</a>`,
  )
  return html`<nav class="notice" aria-label="Platforms">${links}</nav>`
}

function drawFaults(pending: readonly FaultScript[]): Html | undefined {
  if (pending.length === 0) return undefined
  const chips = pending.map(
    (fault) =>
      html`<span class="badge bad">${fault.platform} ${fault.operation}: ${fault.fault} ×${fault.times}</span>`,
  )
  return html`<div class="notice">${chips}</div>`
}

function drawColumn({ platform, standIn }: Shown, url: string): Html {
  const posts = standIn.posts().toSorted((a, b) => b.publishedAt - a.publishedAt)
  const cards = posts.slice(0, maxCards).map((post) => drawCard(post, (media) => mediaUrl(url, platform.id, media)))
  return html`<section>
<h2><svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${platform.tint}"/></svg>
${platform.name} <span class="count">${posts.length}</span></h2>
${cards.length > 0 ? cards : html`<p class="empty">Nothing public yet</p>`}
</section>`
}

function drawCard(post: PublicPost, urlOf: (media: PublicMedia) => string): Html {
  const media = post.media.map((file) => drawMedia(file, urlOf(file)))
  return html`<article id="${cardId(post)}">
<div class="top"><b>${post.account}</b>${post.replyTo ? drawReply(post.replyTo) : undefined}${timeTag(post.publishedAt)}</div>
${post.text ? html`<p class="text">${post.text}</p>` : undefined}
${media.length > 0 ? html`<div class="media ${media.length > 1 ? 'many' : ''}">${media}</div>` : undefined}
${(post.extras ?? []).map((extra) => html`<span class="badge">${extra}</span> `)}
<span class="foot soft" title="${post.url}">${post.url}</span>
</article>`
}

function drawReply(url: string): Html {
  return html`<a class="badge" href="#${cardId({ url })}">reply</a>`
}

function drawMedia(media: PublicMedia, url: string): Html {
  if (media.type.startsWith('image/')) return html`<img src="${url}" alt="${media.alt}" loading="lazy">`
  if (media.type.startsWith('video/')) return html`<video src="${url}" controls preload="metadata"></video>`
  return html`<a class="file" href="${url}">${media.alt || media.type}</a>`
}
