import * as z from 'zod/mini'
import { described } from '../../http/described.ts'

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
