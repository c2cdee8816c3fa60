import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Device } from './devices/device.ts'

/** The public VAPID key, in base64url; undefined where Web Push is off. */
export const vapidPublicKeyOf = (ctx: Context): string | undefined => ctx.env('VAPID_PUBLIC_KEY') || undefined

/** The origin of the Expo push service; undefined where Expo is off. */
export const expoOriginOf = (ctx: Context): string | undefined => ctx.env('EXPO_ORIGIN') || undefined

/** Whether messages to a kind of device can be sent; without a kind, to any. */
export const isPushConfigured = (ctx: Context, kind?: Device['kind']): boolean =>
  (kind !== 'expo' && vapidPublicKeyOf(ctx) !== undefined) || (kind !== 'web_push' && expoOriginOf(ctx) !== undefined)

const names: Readonly<Record<Device['kind'], string>> = { expo: 'Expo', web_push: 'Web Push' }

/** Throws 503 where no push provider is configured, or not the one of a kind of device. */
export const assertPushConfigured = (ctx: Context, kind?: Device['kind']): void => {
  if (isPushConfigured(ctx, kind)) return
  const what = kind === undefined ? 'No push provider' : `The push provider ${names[kind]}`
  const is = kind === undefined ? 'is configured' : 'is not configured'
  throw new Refusal('unavailable', `${what} ${is}. Contact the operator of this service.`, {
    code: 'push_not_configured',
  })
}
