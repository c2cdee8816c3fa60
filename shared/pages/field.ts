import type { Refusal } from '../errors/refusal.ts'
import { type Html, html, nothing } from './html.ts'

/** One labelled input of a form. */
interface Field {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  value?: string | undefined
  hint?: string
  className?: string
  maxLength?: number
  /** Shown, and not to be changed. */
  fixed?: boolean
}

/** What a refusal says about a field; its machine name becomes the label. */
const errorOf = ({ name, label }: Field, refusal: Refusal | undefined): string | undefined =>
  refusal?.details.field === name ? refusal.message.replace(`"${name}"`, label) : undefined

/** An input with its label, and its hint and error tied to it for those who cannot see them. */
export const field = (one: Field, refusal?: Refusal): Html => {
  const { name, label, type, autocomplete, value, hint, className, maxLength = 254, fixed = false } = one
  const error = errorOf(one, refusal)
  const about = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint === undefined ? nothing : html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}" required${
    className === undefined ? nothing : html` class="${className}"`
  }${fixed ? html` readonly` : nothing}${value === undefined ? nothing : html` value="${value}"`}${about === '' ? nothing : html` aria-describedby="${about}"`}${
    error === undefined ? nothing : html` aria-invalid="true"`
  }>
${error === undefined ? nothing : html`<p class="error" id="${name}-error">${error}</p>`}
</div>`
}

/** A value that goes along unseen; none where there is none. */
export const hidden = (name: string, value: string | undefined): Html =>
  value === undefined ? nothing : html`<input type="hidden" name="${name}" value="${value}">`

/** What a refusal says that is about none of these fields, above the form. */
export const alert = (refusal: Refusal | undefined, ...fields: readonly string[]): Html =>
  refusal === undefined || fields.includes(refusal.details.field ?? '')
    ? nothing
    : html`<p class="alert" role="alert">${refusal.message}</p>`

/** Links below a form. */
export const links = (addresses: Readonly<Record<string, string>>): Html =>
  html`<ul class="links">${Object.entries(addresses).map(([text, to]) => html`<li><a href="${to}">${text}</a></li>`)}</ul>`
