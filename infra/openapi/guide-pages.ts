import { Marked, type Tokens } from 'marked'
import { type Guide, guides } from './guides.ts'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The anchor of a heading, as GitHub generates it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The address on the page of a link in the markdown: guides are siblings, without the ending. */
const pageLink = (href: string) => href.replace(/^([\w-]+)\.md(?=#|$)/, '$1')

const renderer = (): Marked => {
  const marked = new Marked()
  marked.use({
    renderer: {
      heading(this: { parser: { parseInline(tokens: Tokens.Generic[]): string } }, { depth, text, tokens }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link(this: { parser: { parseInline(tokens: Tokens.Generic[]): string } }, { href, tokens }) {
        return `<a href="${escaped(pageLink(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      code: ({ text }) => `<pre tabindex="0">${escaped(text)}</pre>\n`,
      // Alignment would be an attribute of style, which the policy of the pages forbids.
      tablecell(this: { parser: { parseInline(tokens: Tokens.Generic[]): string } }, { header, tokens }) {
        const tag = header ? 'th' : 'td'
        return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>\n`
      },
      html: ({ text }) => escaped(text),
    },
  })
  return marked
}

/** Tables are wider than a phone: they scroll by themselves. */
const scrolling = (markup: string) =>
  markup.replaceAll('<table>', '<div class="scroll" tabindex="0"><table>').replaceAll('</table>', '</table></div>')

/** The body of a guide's page: its markdown as HTML, without the title. */
export const guideMarkup = ({ markdown }: Pick<Guide, 'markdown'>): string =>
  scrolling(renderer().parse(markdown.replace(/^# .+\n+/, ''), { async: false }))

/** The content of the guide pages, in order. */
export const guidePages = () => guides().map((guide) => ({ ...guide, markup: guideMarkup(guide) }))
