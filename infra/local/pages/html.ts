/** Markup that is safe to send: made only by `html`, which escapes every value put into it. */
export interface Html {
  readonly markup: string
}

type Value = string | number | Html | readonly Html[] | undefined

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Makes text harmless between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character)
}

/** A template whose values are escaped unless they are themselves `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: parts.map((part, index) => part + render(values[index])).join('') }
}

/** Text with its http addresses turned into links that say nothing about where they were clicked. */
export function linkify(text: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/)
  const nodes = pieces.map((piece, index) =>
    index % 2 === 1 ? html`<a href="${piece}" rel="noreferrer">${piece}</a>` : html`${piece}`,
  )
  return html`${nodes}`
}

function render(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if ('markup' in value) return value.markup
  return value.map((node) => node.markup).join('')
}
