import { brandStyle } from './brand-style.ts'
import { type Html, html, nothing } from './html.ts'
import { style } from './style.ts'

/** One page: its title, which is also its only heading, and the body below. */
export interface Page {
  title: string
  body: Html
  /** The address of another site to which the page redirects; `body` has a link to it. */
  leadsTo?: string
  /** The page reloads after this many seconds. */
  reloadSeconds?: number
  /** The address of the script of the page. The page works without it. */
  script?: string
  /** The name of whom the page is for, instead of ours. */
  brand?: string
  /** The page shows an image of another site. */
  hasImage?: boolean
  /** The color of the buttons, `#rrggbb`, instead of the service's color. */
  brandColor?: string
  /** A text to read, wider than a form. */
  isArticle?: boolean
  /** The code of the error that the page reports, for programs and logs. */
  errorCode?: string | undefined
  /** A cookie to set with the page. */
  cookie?: string
}

const service = 'Social Publishing'

/** The HTML document of a page. */
export const layout = ({
  title,
  body,
  leadsTo,
  reloadSeconds,
  script,
  errorCode,
  brand,
  brandColor,
  isArticle = false,
}: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${leadsTo === undefined ? nothing : html`<meta http-equiv="refresh" content="0;url=${leadsTo}">\n`}${reloadSeconds === undefined ? nothing : html`<meta http-equiv="refresh" content="${reloadSeconds}">\n`}${errorCode === undefined ? nothing : html`<meta name="error-code" content="${errorCode}">\n`}<title>${title} · ${brand ?? service}</title>
<style>${{ markup: style }}</style>${brandColor === undefined ? nothing : html`<style>${{ markup: brandStyle(brandColor) }}</style>`}${
    script === undefined
      ? nothing
      : html`
<script src="${script}" defer></script>`
  }
</head>
<body>
<div class="brand">${brand ?? service}</div>
<main${isArticle ? { markup: ' class="article"' } : nothing}>
<h1>${title}</h1>
${body}
</main>${brand === undefined ? nothing : html`\n<footer>Powered by ${service}</footer>`}
</body>
</html>
`.markup
