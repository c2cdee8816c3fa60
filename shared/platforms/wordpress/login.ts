import * as z from 'zod/mini'
import { described } from '../../http/described.ts'

/** How a person signs in: by an application password of a site (WordPress 5.6 or newer). */
export const WordPressLogin = z.strictObject({
  site: described(
    z.string().check(z.minLength(1), z.maxLength(300)),
    'The address of the site, `bakery.example` or `https://bakery.example/blog`. It needs https.',
  ),
  username: described(z.string().check(z.minLength(1), z.maxLength(300)), 'The name that the user logs in with.'),
  applicationPassword: described(
    z.string().check(z.minLength(1), z.maxLength(300)),
    'An application password, made in the profile of the user. Not the password of the user.',
  ),
})
export type WordPressLogin = z.infer<typeof WordPressLogin>
