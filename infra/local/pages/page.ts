import { randomBytes } from 'node:crypto'
import { type Html, html } from '../../../shared/pages/html.ts'
import { liveScript } from './live.ts'
import type { Answer } from './server.ts'
import { style } from './style.ts'
import { type PageServers, tabsOf } from './tabs.ts'

export interface PageParts {
  title: string
  main: Html
  /** The pages that the tabs link to; the tab with the page's title is shown as the current one. */
  servers?: PageServers
  narrow?: boolean
  live?: boolean
}

/** A whole page under a policy that allows nothing from outside, and no scripts but those of the page. */
export function page(parts: PageParts): Answer {
  const nonce = randomBytes(16).toString('base64')
  const tabs = Object.entries(tabsOf(parts.servers ?? {})).flatMap(([label, url]) =>
    url ? [tab(label, url, parts.title)] : [],
  )
  const document = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${parts.title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${{ markup: style }}</style>
<header><h1>Social Publishing, local</h1><nav>${tabs}</nav></header>
<main class="${parts.narrow ? 'narrow' : ''}">${parts.main}</main>
${parts.live ? html`<script nonce="${nonce}">${{ markup: liveScript }}</script>` : ''}
</html>`
  return { status: 200, headers: pageHeaders(nonce), body: document.markup }
}

/** A moment as a tag the live script shows in local time. */
export function timeTag(at: number | string): Html {
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(11, 19)}</time>`
}

function tab(label: string, url: string, current: string): Html {
  return label === current
    ? html`<a href="${url}" aria-current="page">${label}</a>`
    : html`<a href="${url}">${label}</a>`
}

function pageHeaders(nonce: string): Record<string, string> {
  const policy = [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `media-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
}
