import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import { allowedOrigins, isAllowedOrigin, refuseAddress } from '../../net/address.ts'

/** The address rules are those of HTTP: a WebSocket starts as a request (RFC 6455, section 3). */
const httpForm = (url: URL): URL => new URL(url.href.replace(/^ws/, 'http'))

/** Why the service does not call a relay, as a sentence; undefined if its address is allowed. */
export const refuseRelay = (ctx: Context, address: string): string | undefined => {
  const url = URL.parse(address)
  const isAllowed = url?.protocol === 'wss:' || (url?.protocol === 'ws:' && isOwnRelay(ctx, address))
  if (url === null || !isAllowed) return 'The address of a relay must start with wss://.'
  return refuseAddress(httpForm(url), allowedOrigins(ctx))
}

/** Whether the configuration allows a relay by name, such as the stand-in. */
export const isOwnRelay = (ctx: Context, address: string): boolean =>
  isAllowedOrigin(httpForm(new URL(address)), allowedOrigins(ctx))

/** The address of a relay as stored, without the slash of an empty path. Throws an error for the field. */
export const assertRelay = (ctx: Context, text: string, field: string): string => {
  const trimmed = text.trim()
  const address = trimmed.includes('://') ? trimmed : `wss://${trimmed}`
  const refusal = refuseRelay(ctx, address)
  if (refusal !== undefined) {
    throw new Refusal('invalid', `The relay ${trimmed} cannot be called. ${refusal}`, {
      code: 'url_not_allowed',
      field,
    })
  }
  const { origin, pathname, search } = new URL(address)
  return `${origin}${pathname === '/' ? '' : pathname}${search}`
}
