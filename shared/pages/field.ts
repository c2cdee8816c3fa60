import type { Refusal } from '../errors/refusal.ts'
import { type Html, html, nothing } from './html.ts'

/** One labeled input of a form. */
export interface Field {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  value?: string | undefined
  hint?: string
  className?: string
  maxLength?: number
  /** Read-only. */
  fixed?: boolean
  /** May stay empty. */
  optional?: boolean
}

/** The error of a rejected field, with the label instead of its machine name. */
const errorOf = ({ name, label }: Field, refusal: Refusal | undefined): string | undefined =>
  refusal?.details.field === name ? refusal.message.replace(`"${name}"`, label) : undefined

/** An input with its label; its hint and error are linked to it for screen readers. */
export const field = (input: Field, refusal?: Refusal): Html => {
  const {
    name,
    label,
    type,
    autocomplete,
    value,
    hint,
    className,
    maxLength = 254,
    fixed = false,
    optional = false,
  } = input
  const error = errorOf(input, refusal)
  const about = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint === undefined ? nothing : html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}"${optional ? nothing : html` required`}${
    className === undefined ? nothing : html` class="${className}"`
  }${fixed ? html` readonly` : nothing}${value === undefined ? nothing : html` value="${value}"`}${about === '' ? nothing : html` aria-describedby="${about}"`}${
    error === undefined ? nothing : html` aria-invalid="true"`
  }>
${error === undefined ? nothing : html`<p class="error" id="${name}-error">${error}</p>`}
</div>`
}

/** A hidden input; nothing if there is no value. */
export const hidden = (name: string, value: string | undefined): Html =>
  value === undefined ? nothing : html`<input type="hidden" name="${name}" value="${value}">`

/** An alert above the form with the error of a refusal that concerns none of these fields. */
export const alert = (refusal: Refusal | undefined, ...fields: readonly string[]): Html =>
  refusal === undefined || fields.includes(refusal.details.field ?? '')
    ? nothing
    : html`<p class="alert" role="alert">${refusal.message}</p>`

/** Links below a form. */
export const links = (addresses: Readonly<Record<string, string>>): Html =>
  html`<ul class="links">${Object.entries(addresses).map(([text, to]) => html`<li><a href="${to}">${text}</a></li>`)}</ul>`
