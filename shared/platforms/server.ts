import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { allowedOrigins, refuseAddress } from '../net/address.ts'

/** The origin of a server that a person named, if the service may call it; throws a refusal of the field. */
export const assertServer = (ctx: Context, address: string, field: string): string => {
  const refusal = refuseAddress(address, allowedOrigins(ctx))
  if (refusal === undefined) return new URL(address).origin
  throw new Refusal('invalid', refusal, { code: 'url_not_allowed', field })
}

/** The address of a server as people write it: `a.example`, `https://a.example`, or a name there, `@ann@a.example`. */
export const serverAddress = (text: string): string => {
  const server = text.trim().replace(/^@?[^@/\s]+@/, '')
  return server.includes('://') ? server : `https://${server}`
}
