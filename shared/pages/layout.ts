import { type Html, html, nothing } from './html.ts'
import { style } from './style.ts'

/** One page: its title, which is also its one heading, and what stands below. */
export interface Page {
  title: string
  body: Html
  /** An address of another site that the page leads on to by itself; `body` has a link to it. */
  leadsTo?: string
  /** Set with the page. */
  cookie?: string
}

/** The whole document of a page. */
export const layout = ({ title, body, leadsTo }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${leadsTo === undefined ? nothing : html`<meta http-equiv="refresh" content="0;url=${leadsTo}">\n`}<title>${title} · Social Publishing</title>
<style>${{ markup: style }}</style>
</head>
<body>
<div class="brand">Social Publishing</div>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.markup
