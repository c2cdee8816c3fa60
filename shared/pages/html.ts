/** Markup that is safe to send: only `html` creates it, and escapes every value. */
export interface Html {
  readonly markup: string
}

type Value = string | number | Html | readonly Html[] | undefined

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const render = (value: Value): string => {
  if (value === undefined) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map((node) => node.markup).join('')
}

/** A template that escapes its values unless they are `Html`. Values inside a tag must be in quotes. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  markup: parts.map((part, at) => part + render(values[at])).join(''),
})

export const nothing = html``
