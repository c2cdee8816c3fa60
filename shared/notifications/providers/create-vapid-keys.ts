import * as z from 'zod/mini'
import { readSecret } from '../../aws/secret.ts'
import { createSecret } from '../../aws/store-secret.ts'
import type { Context } from '../../context.ts'
import { makeVapidKeys, VapidKeys, vapidSecret } from './vapid-keys.ts'

/**
 * Makes the VAPID keys of a deployment; returns the public one. Keys that are there stay: browsers have subscribed with
 * them, and other keys would end every subscription.
 */
export const createVapidKeys = async (ctx: Context): Promise<{ publicKey: string; isNew: boolean }> => {
  const id = `${ctx.env('PUSH_SECRETS_PREFIX')}${vapidSecret}`
  const made = makeVapidKeys()
  if (await createSecret(ctx, id, JSON.stringify(made))) return { publicKey: made.publicKey, isNew: true }
  return { publicKey: z.parse(VapidKeys, JSON.parse(await readSecret(ctx, id))).publicKey, isNew: false }
}
