import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import { allowedOrigins, refuseAddress } from '../../net/address.ts'

/** Rejects a URL that deliveries must not be sent to; the same check is repeated at every connection. */
export const assertUrlAllowed = (ctx: Context, url: string): void => {
  const reason = refuseAddress(url, allowedOrigins(ctx))
  if (reason !== undefined) throw new Refusal('invalid', reason, { code: 'url_not_allowed', field: 'url' })
}
