import * as z from 'zod/mini'
import { html, nothing } from './html.ts'
import type { Page } from './layout.ts'

/** Adds a button to each code block of a guide that copies it. Browsers have the clipboard only on secure origins. */
export const guideScript = `for (const block of navigator.clipboard ? document.querySelectorAll('pre') : []) {
  const frame = document.createElement('div')
  const button = document.createElement('button')
  frame.className = 'code'
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  block.replaceWith(frame)
  frame.append(block, button)
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(block.textContent).then(() => true, () => false)
    button.textContent = copied ? 'Copied' : 'Not copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
}
`

/** A guide as deployed: its HTML was generated from the Markdown when the function was bundled. */
const Guide = z.object({ name: z.string(), title: z.string(), markdown: z.string(), markup: z.string() })
export const GuideFile = z.array(Guide)
type Guide = z.infer<typeof Guide>

const toGuide = (docs: string, { name, title }: Guide) => html`<a href="${docs}/guides/${name}">${title}</a>`

/** Links to the headings of a guide that has at least three. */
const contentsOf = (markup: string) => {
  const headings = [...markup.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/g)]
  if (headings.length < 3) return nothing
  return html`<nav class="toc" aria-label="On this page">
<ul>${headings.map(([, depth = '', id = '', text = '']) => html`<li class="depth-${depth}"><a href="#${id}">${{ markup: text.replaceAll(/<\/?a\b[^>]*>/g, '') }}</a></li>`)}</ul>
</nav>
`
}

/** The page of the guide at an index of the list; `docs` is the address of the reference. */
export const guidePage = (guides: readonly Guide[], at: number, docs: string): Page => {
  const { name, title = '', markup = '' } = guides[at] ?? {}
  const next = guides[at + 1]
  return {
    title,
    isArticle: true,
    // Relative: the policy of the page allows the same origin only.
    script: 'script.js',
    body: html`<details class="contents"><summary>All guides</summary>
<ul>${guides.map((guide) => html`<li>${guide.name === name ? html`<b>${guide.title}</b>` : toGuide(docs, guide)}</li>`)}</ul>
</details>
${contentsOf(markup)}${{ markup }}<ul class="links">${next === undefined ? nothing : html`<li>Next: ${toGuide(docs, next)}</li>`}<li><a href="${docs}/guides/${name}.md">This guide as Markdown</a></li><li><a href="${docs}">API reference</a></li></ul>`,
  }
}
