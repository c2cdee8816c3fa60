import { ECDH } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import { described } from '../../http/described.ts'
import { allowedOrigins, refuseAddress } from '../../net/address.ts'
import { singleLine } from '../../text/single-line.ts'
import { wellFormed } from '../../text/well-formed.ts'

export const platformsOfApps = ['ios', 'android'] as const

const isPoint = (text: string): boolean => {
  try {
    ECDH.convertKey(Buffer.from(text, 'base64url'), 'prime256v1', undefined, undefined, 'uncompressed')
    return true
  } catch {
    return false
  }
}

// RFC 8291, section 2: an uncompressed point of P-256, and 16 random octets.
const Keys = z.strictObject({
  p256dh: described(
    z
      .string()
      .check(
        z.regex(/^[\w-]{87}=?$/, { error: 'must be the 65 bytes of a P-256 key in base64url' }),
        z.refine(isPoint, { error: 'must be a point of the curve P-256' }),
      ),
    'The public key of the subscription, in base64url.',
  ),
  auth: described(
    z.string().check(z.regex(/^[\w-]{22}(?:==)?$/, { error: 'must be 16 bytes in base64url' })),
    'The authentication secret of the subscription, in base64url.',
  ),
})

/**
 * Decided: the specification does not show the body of a registration. A token of Expo, or the JSON of a
 * PushSubscription as browsers write it.
 */
export const RegisterDevice = z
  .strictObject({
    token: z.optional(
      described(
        z.string().check(
          // The forms that isExpoPushToken of expo-server-sdk 4 accepts: with its prefix, or a bare UUID.
          z.regex(/^(?:Expo(?:nent)?PushToken\[[\w-]{1,100}\]|[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12})$/, {
            error: 'must be a push token of Expo, such as ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]',
          }),
        ),
        'The push token of an app (`getExpoPushTokenAsync`).',
      ),
    ),
    platform: z.optional(described(z.enum(platformsOfApps), 'The system of the app; only with `token`.')),
    endpoint: z.optional(
      described(
        z.string().check(z.maxLength(2000)),
        'The push resource of a browser (`PushSubscription.endpoint`); with `keys`.',
        { format: 'uri' },
      ),
    ),
    keys: described(z.optional(Keys), 'The keys of the browser (`PushSubscription.getKey`); with `endpoint`.'),
    expirationTime: z.optional(
      described(z.nullable(z.number()), 'Part of the JSON of a PushSubscription; accepted and ignored.'),
    ),
    name: z.optional(
      described(
        z.string().check(z.minLength(1), z.maxLength(100), singleLine, wellFormed),
        'A name for the device that the person recognizes.',
      ),
    ),
  })
  .register(z.globalRegistry, {
    id: 'RegisterDevice',
    description: 'An app (`token`), or a browser (`endpoint` and `keys`).',
  })
export type RegisterDevice = z.infer<typeof RegisterDevice>

/** What messages are sent to: one of the two forms of a registration. */
export type Destination =
  | { kind: 'expo'; token: string; platform: (typeof platformsOfApps)[number] | null }
  | { kind: 'web_push'; endpoint: string; keys: z.infer<typeof Keys> }

const invalid = (field: string, text: string) => new Refusal('invalid', text, { code: 'invalid_input', field })

/** Reads the form of a registration; rejects a form that is neither or both. */
export const destinationOf = (ctx: Context, { token, platform, endpoint, keys }: RegisterDevice): Destination => {
  if (token !== undefined && endpoint === undefined && keys === undefined) {
    return { kind: 'expo', token, platform: platform ?? null }
  }
  if (token !== undefined)
    throw invalid('token', '"token" cannot be combined with "endpoint" and "keys". Send one form.')
  if (endpoint === undefined) throw invalid('token', 'Send "token" for an app, or "endpoint" and "keys" for a browser.')
  if (keys === undefined)
    throw invalid('keys', '"keys" is required with "endpoint". Send the keys of the subscription.')
  if (platform !== undefined) throw invalid('platform', '"platform" is only for an app. Remove it.')
  const reason = refuseAddress(endpoint, allowedOrigins(ctx))
  if (reason !== undefined) throw new Refusal('invalid', reason, { code: 'url_not_allowed', field: 'endpoint' })
  return { kind: 'web_push', endpoint, keys }
}
