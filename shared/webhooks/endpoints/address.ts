import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import { refuseAddress } from '../../net/address.ts'

/** Origins that configuration names exactly, such as the local inbox. */
export const allowedOrigins = (ctx: Context): string[] => ctx.env('ALLOWED_ORIGINS').split(',').filter(Boolean)

/** Refuses an address that deliveries must not go to; the same check is made again at every connect. */
export const assertUrlAllowed = (ctx: Context, url: string): void => {
  const reason = refuseAddress(url, allowedOrigins(ctx))
  if (reason !== undefined) throw new Refusal('invalid', reason, { code: 'url_not_allowed', field: 'url' })
}
