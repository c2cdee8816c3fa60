import { createECDH } from 'node:crypto'
import * as z from 'zod/mini'

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
