import { type Html, html } from '../../../shared/pages/html.ts'

/** Text with its http addresses turned into links that send no referrer. */
export function linkify(text: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/)
  const nodes = pieces.map((piece, index) =>
    index % 2 === 1 ? html`<a href="${piece}" rel="noreferrer">${piece}</a>` : html`${piece}`,
  )
  return html`${nodes}`
}
