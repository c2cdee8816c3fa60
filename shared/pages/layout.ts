import { type Html, html, nothing } from './html.ts'
import { style } from './style.ts'

/** One page: its title, which is also its only heading, and the body below. */
export interface Page {
  title: string
  body: Html
  /** The address of another site to which the page redirects; `body` has a link to it. */
  leadsTo?: string
  /** A cookie to set with the page. */
  cookie?: string
}

/** The HTML document of a page. */
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
