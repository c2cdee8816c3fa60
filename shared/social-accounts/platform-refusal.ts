import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Connection } from '../platforms/account.ts'
import { connectionFrom } from '../platforms/edge.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import { withinLogins } from './open-logins.ts'

/** The error codes of a call to a platform. */
export const platformRefusalCodes = [
  'platform_rejected',
  'platform_resource_not_found',
  'platform_rate_limited',
  'platform_unavailable',
  'platform_not_configured',
  'platform_api_ended',
] as const

/** A message may end with the platform's message, which need not be a sentence. */
const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The refusal for a platform error. */
export const refusalOf = (ctx: Context, { errorClass, info, message: text }: PlatformError): Refusal => {
  const message = asSentence(text)
  if (info.operator) ctx.log.error('operator action needed', { reason: message })
  if (info.apiEnded) return new Refusal('invalid', message, { code: 'platform_api_ended' })
  if (info.operator) return new Refusal('unavailable', message, { code: 'platform_not_configured' })
  if (errorClass === 'rate' || errorClass === 'quota') {
    const retryAfterSeconds = Math.ceil(info.retryAfterSeconds ?? 60)
    return new Refusal('limited', message, { code: 'platform_rate_limited', retryAfterSeconds })
  }
  if (errorClass === 'transient' || errorClass === 'unknown') {
    return new Refusal('unavailable', `${message} Try again in a moment.`, { code: 'platform_unavailable' })
  }
  // The resource that the caller named does not exist at the platform.
  if (info.notFound) return new Refusal('missing', message, { code: 'platform_resource_not_found' })
  return new Refusal('invalid', message, { code: 'platform_rejected' })
}

/** Runs a call to a platform; its error becomes a refusal that the caller can act on. */
export const orRefusal = async <T>(ctx: Context, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    throw error instanceof PlatformError ? refusalOf(ctx, error) : error
  }
}

/** Signs in by a form. Returns the account that was reached, as stored. */
export const signedIn = (ctx: Context, signIn: (ctx: Context) => Promise<Connection>): Promise<Connection> =>
  orRefusal(ctx, async () => connectionFrom(ctx, await withinLogins(ctx, () => signIn(ctx))))
