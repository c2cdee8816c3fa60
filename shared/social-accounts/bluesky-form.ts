import type { Refusal } from '../errors/refusal.ts'
import { parseOrRefuse } from '../http/parse-input.ts'
import { field } from '../pages/field.ts'
import type { Sent } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { BlueskyLogin } from '../platforms/bluesky/login.ts'

/** The fields that show their own errors. */
export const blueskyFieldNames = ['identifier', 'appPassword', 'service'] as const

/** The fields by which the owner of a Bluesky account signs in on our page. */
export const blueskyFields = (sent: Sent = {}, refusal?: Refusal): Html => html`
${field({ name: 'identifier', label: 'Handle', type: 'text', autocomplete: 'off', maxLength: 300, value: sent['identifier'], hint: 'For example ann.bsky.social' }, refusal)}
${field({ name: 'appPassword', label: 'App password', type: 'password', autocomplete: 'off', maxLength: 300, hint: 'Create one at Bluesky, under Settings, Privacy and security. It is not stored.' }, refusal)}
${field({ name: 'service', label: 'Server (PDS)', type: 'text', autocomplete: 'off', maxLength: 300, value: sent['service'], optional: true, hint: 'Leave it empty if your account is at bsky.social.' }, refusal)}`

const withScheme = (server: string) => (server.includes('://') ? server : `https://${server}`)

/** The login in a submitted form; throws 400 if a field is missing. */
export const loginIn = ({ identifier, appPassword, service = '' }: Sent): BlueskyLogin => {
  const server = service.trim()
  const login = { identifier, appPassword, ...(server === '' ? {} : { service: withScheme(server) }) }
  return parseOrRefuse(BlueskyLogin, login, 'form')
}
