import { createECDH, createPrivateKey, sign } from 'node:crypto'
import * as z from 'zod/mini'
import { readSecret } from '../../aws/secret.ts'
import { createSecret } from '../../aws/store-secret.ts'
import type { Context } from '../../context.ts'

/** The keys of RFC 8292 as the secret stores them: a point and a scalar of P-256, in base64url. */
export const VapidKeys = z.object({ publicKey: z.string(), privateKey: z.string() })
export type VapidKeys = z.infer<typeof VapidKeys>

/** The secret of the keys: the prefix of the secrets of push providers, and this. */
export const vapidSecret = 'vapid'

export const makeVapidKeys = (): VapidKeys => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // A scalar that begins with zeros is shorter.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}

/**
 * Creates the VAPID keys of a deployment; returns the public one. Existing keys stay: browsers have subscribed with them,
 * and other keys would end every subscription.
 */
export const createVapidKeys = async (ctx: Context): Promise<{ publicKey: string; isNew: boolean }> => {
  const id = `${ctx.env('PUSH_SECRETS_PREFIX')}${vapidSecret}`
  const made = makeVapidKeys()
  if (await createSecret(ctx, id, JSON.stringify(made))) return { publicKey: made.publicKey, isNew: true }
  return { publicKey: z.parse(VapidKeys, JSON.parse(await readSecret(ctx, id))).publicKey, isNew: false }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** At most 24 hours (RFC 8292, section 2). */
const lifeSeconds = 12 * 3_600

const privateKeyOf = ({ publicKey, privateKey: d }: VapidKeys) => {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d, x: x ?? '', y: y ?? '' } })
}

/** The header by which a push service identifies the sender of a message (RFC 8292, section 3). */
export const vapidAuthorization = (keys: VapidKeys, endpoint: string, contact: string, nowMs: number): string => {
  const exp = Math.floor(nowMs / 1000) + lifeSeconds
  const claims = encode({ aud: new URL(endpoint).origin, exp, sub: contact })
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${claims}`
  // RFC 7518, section 3.4: the two numbers side by side, not in DER.
  const key = { key: privateKeyOf(keys), dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64url')
  return `vapid t=${signed}.${signature}, k=${keys.publicKey}`
}
