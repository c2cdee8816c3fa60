import type { Refusal } from '../errors/refusal.ts'
import { type Field, field } from '../pages/field.ts'
import type { Sent } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'

/** The inputs of the form that connects an account, with the submitted values except passwords. */
export const formInputs = (fields: readonly Field[], sent: Sent = {}, refusal?: Refusal): Html =>
  html`${fields.map((input) => {
    const value = input.type === 'password' ? undefined : sent[input.name]
    return html`\n${field({ ...input, value }, refusal)}`
  })}`
