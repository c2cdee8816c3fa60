import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Context } from '../context.ts'
import { header } from '../http/request-context.ts'
import { sessionDays } from './session.ts'

const isSecure = (ctx: Context) => ctx.env('BASE_URL').startsWith('https:')

type CookieName = 'svc_session' | 'svc_connect'

// Browsers accept the `__Host-` prefix only over https; it keeps other hosts from setting our cookie.
const fullName = (ctx: Context, name: CookieName) => (isSecure(ctx) ? `__Host-${name}` : name)

// Lax: the browser sends the cookie on navigation from another site, such as the return from a platform, but not with a
// form of another site.
const cookie = (ctx: Context, name: CookieName, value: string, maxAgeSeconds: number) =>
  `${fullName(ctx, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure(ctx) ? '; Secure' : ''}`

/** The cookie that signs a browser in, on our pages only. */
export const signInCookie = (ctx: Context, token: string): string =>
  cookie(ctx, 'svc_session', token, sessionDays * 86_400)

export const signOutCookie = (ctx: Context): string => cookie(ctx, 'svc_session', '', 0)

/** The cookie that identifies the browser that connects an account; it expires with the login. */
export const connectCookie = (ctx: Context, browser: string): string => cookie(ctx, 'svc_connect', browser, 600)

const valueIn = (ctx: Context, sent: string | undefined, name: CookieName): string | undefined => {
  const start = `${fullName(ctx, name)}=`
  const pairs = (sent ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

/** The session token in the request's cookies. */
export const tokenInCookie = (ctx: Context, event: APIGatewayProxyEvent): string | undefined =>
  valueIn(ctx, header(event, 'Cookie'), 'svc_session')

/** Whether a browser has signed in, from the header `Cookie`: its session may have ended. */
export const hasSessionIn = (ctx: Context, cookies: string | undefined): boolean =>
  Boolean(valueIn(ctx, cookies, 'svc_session'))

/** The browser that connects an account, from the header `Cookie`; undefined without a valid value. */
export const browserIn = (ctx: Context, cookies: string | undefined): string | undefined => {
  const value = valueIn(ctx, cookies, 'svc_connect')
  return value !== undefined && /^\w{43}$/.test(value) ? value : undefined
}
