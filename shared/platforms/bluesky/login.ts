import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import type { Field } from '../../pages/field.ts'

/** How a person signs in: by an app password, at Bluesky's own server or another one. */
export const BlueskyLogin = z.strictObject({
  identifier: described(
    z.string().check(z.minLength(1), z.maxLength(300)),
    'The handle, `ann.bsky.social`, or the email address of the account.',
  ),
  appPassword: described(
    z.string().check(z.minLength(1), z.maxLength(300)),
    'An app password, made in the settings of Bluesky. Not the password of the account.',
  ),
  service: described(
    z.optional(z.url().check(z.maxLength(300))),
    'The server (PDS) of the account. `https://bsky.social` by default.',
  ),
})
export type BlueskyLogin = z.infer<typeof BlueskyLogin>

const common = { autocomplete: 'off', maxLength: 300 }

/** The same as a form on our pages. */
export const loginFields: readonly Field[] = [
  { ...common, name: 'identifier', label: 'Handle', type: 'text', hint: 'For example ann.bsky.social' },
  {
    ...common,
    name: 'appPassword',
    label: 'App password',
    type: 'password',
    hint: 'Create one at Bluesky, under Settings, Privacy and security. It is not stored.',
  },
  {
    ...common,
    name: 'service',
    label: 'Server (PDS)',
    type: 'text',
    optional: true,
    hint: 'Leave it empty if your account is at bsky.social.',
  },
]
