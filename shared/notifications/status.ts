import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { described } from '../http/described.ts'
import { isPushConfigured, vapidPublicKeyOf } from './configured.ts'
import { readProfile } from './profile.ts'

/** The specification's fields, and the key that a browser subscribes with. */
export const NotificationStatus = z
  .object({
    configured: described(z.boolean(), 'Whether the deployment has a push provider. Emails are sent in any case.'),
    deviceCount: described(z.int(), 'How many devices you have registered.'),
    vapidPublicKey: described(
      z.nullable(z.string()),
      'The `applicationServerKey` of browsers, in base64url; null if the deployment has no Web Push.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'NotificationStatus',
    description: 'Whether push messages can reach you.',
  })

export const readStatus = async (ctx: Context, userId: string): Promise<z.infer<typeof NotificationStatus>> => {
  const { devices } = await readProfile(ctx, userId)
  return {
    configured: isPushConfigured(ctx),
    deviceCount: devices.length,
    vapidPublicKey: vapidPublicKeyOf(ctx) ?? null,
  }
}
