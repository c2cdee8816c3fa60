import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { defaultRelays, maxRelays } from './definition.ts'
import { readSecretKey } from './keys.ts'

/** How a person connects: by the secret key, the relays, and a server for media. */
export const NostrLogin = z.strictObject({
  secretKey: described(
    z.string().check(
      z.maxLength(300),
      z.refine((text) => readSecretKey(text) !== undefined, {
        error: 'must be a secret key, nsec1… or 64 hexadecimal characters',
      }),
    ),
    'The secret key of the account, `nsec1…` (NIP-19) or 64 hexadecimal characters. It is stored encrypted.',
  ),
  relays: described(
    z.optional(
      z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.minLength(1), z.maxLength(maxRelays)),
    ),
    `The relays that get each post, 1 to ${maxRelays} addresses \`wss://…\`. By default ${defaultRelays.map((relay) => `\`${relay}\``).join(', ')}.`,
  ),
  mediaServer: described(
    z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
    'The Blossom server that keeps images and videos, `https://…`. Without one, posts have no media.',
  ),
})
export type NostrLogin = z.infer<typeof NostrLogin>
