import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Context } from '../context.ts'
import { header } from '../http/exchange.ts'
import { sessionDays } from '../identity/session.ts'

const isSecure = (ctx: Context) => ctx.env('BASE_URL').startsWith('https:')

// A browser takes the prefix only over https: there it keeps other hosts from setting our cookie.
const nameOf = (ctx: Context) => (isSecure(ctx) ? '__Host-svc_session' : 'svc_session')

const cookie = (ctx: Context, value: string, maxAgeSeconds: number) =>
  `${nameOf(ctx)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure(ctx) ? '; Secure' : ''}`

/** The cookie that signs a browser in, on our pages alone. */
export const signInCookie = (ctx: Context, token: string): string => cookie(ctx, token, sessionDays * 86_400)

export const signOutCookie = (ctx: Context): string => cookie(ctx, '', 0)

/** The session's token in the request's cookies. */
export const tokenInCookie = (ctx: Context, event: APIGatewayProxyEvent): string | undefined => {
  const start = `${nameOf(ctx)}=`
  const pairs = (header(event, 'Cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}
