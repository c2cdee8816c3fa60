import { type Html, html } from './html.ts'
import { style } from './style.ts'

/** One page: its title, which is also its one heading, and what stands below. */
export interface Page {
  title: string
  body: Html
}

/** The whole document of a page. */
export const layout = ({ title, body }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Social Publishing</title>
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
