import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Context } from '../context.ts'
import { header } from '../http/request-context.ts'
import { sessionDays } from '../identity/session.ts'

const isSecure = (ctx: Context) => ctx.env('BASE_URL').startsWith('https:')

type CookieName = 'svc_session' | 'svc_connect'

// A browser takes the prefix only over https: there it keeps other hosts from setting our cookie.
const fullName = (ctx: Context, name: CookieName) => (isSecure(ctx) ? `__Host-${name}` : name)

// Lax: it comes back with a visit from another site, so also with the return from a platform, and with no form of another site.
const cookie = (ctx: Context, name: CookieName, value: string, maxAgeSeconds: number) =>
  `${fullName(ctx, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure(ctx) ? '; Secure' : ''}`

/** The cookie that signs a browser in, on our pages alone. */
export const signInCookie = (ctx: Context, token: string): string =>
  cookie(ctx, 'svc_session', token, sessionDays * 86_400)

export const signOutCookie = (ctx: Context): string => cookie(ctx, 'svc_session', '', 0)

/** The cookie that tells a browser which connects an account from all others; it lives as long as the login may take. */
export const connectCookie = (ctx: Context, browser: string): string => cookie(ctx, 'svc_connect', browser, 600)

const valueIn = (ctx: Context, sent: string | undefined, name: CookieName): string | undefined => {
  const start = `${fullName(ctx, name)}=`
  const pairs = (sent ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

/** The session's token in the request's cookies. */
export const tokenInCookie = (ctx: Context, event: APIGatewayProxyEvent): string | undefined =>
  valueIn(ctx, header(event, 'Cookie'), 'svc_session')

/** The browser that connects an account, by the header `Cookie`; undefined where it brings no value of ours. */
export const browserIn = (ctx: Context, cookies: string | undefined): string | undefined => {
  const value = valueIn(ctx, cookies, 'svc_connect')
  return value !== undefined && /^\w{43}$/.test(value) ? value : undefined
}
