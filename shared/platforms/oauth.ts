import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { OutboundGuard } from '../net/outbound.ts'
import { dayMs } from '../time.ts'
import type { ConnectedAccount, Credentials } from './account.ts'
import { type AppSecret, readAppSecret } from './app-secret.ts'
import { baseUrlOf } from './base-urls.ts'
import type { PlatformSite } from './definition.ts'
import { type ErrorResponse, type PlatformResponse, retryAfterOf, sendRequest, unclearResponse } from './http.ts'
import { type Classification, classified, commonErrors, PlatformError, shortDetail } from './platform-error.ts'

/** A platform's token endpoint, and how the operator's app authenticates there (RFC 6749, sections 3.2 and 2.3). */
export interface TokenEndpoint {
  platform: PlatformSite
  path: string
  /** In a Basic header, or as fields of the form. */
  clientAuthentication: 'basic' | 'form'
  /** The name of the client id; TikTok's differs. */
  clientIdField?: 'client_id' | 'client_key'
  /** More headers, such as the User-Agent that Reddit requires. */
  headers?(app: AppSecret): Readonly<Record<string, string>>
  /** The app at a server that a person named; the operator's app by default. */
  app?: AppSecret
  /** For a server that a person named. */
  guard?: OutboundGuard
}

/** The fields that the token responses of all platforms share (RFC 6749, section 5.1). */
export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.optional(z.string()),
  expires_in: z.optional(z.number()),
  /** Of some platforms only. */
  refresh_token_expires_in: z.optional(z.number()),
  scope: z.optional(z.string()),
})
export type Tokens = z.infer<typeof Tokens>

const loginsLimited: Classification = ['rate', 'login rate limit reached. Try again later.']

const ErrorBody = z.object({ error: z.string(), error_description: z.optional(z.string()) })

/** Errors that are about the app and not about the person. */
const appErrors = new Set([
  ...['invalid_client', 'unauthorized_client', 'invalid_client_id', 'bad_client_secret'],
  ...['disabled_client', 'deleted_client'],
])

/** Temporary errors: those of RFC 6749 (section 4.1.2.1), of Google, TikTok, and Slack. */
const temporaryErrors = new Set([
  ...['temporarily_unavailable', 'server_error', 'slow_down', 'internal_failure', 'internal_error', 'fatal_error'],
  ...['service_unavailable', 'request_timeout', 'ratelimited', 'rate_limited', 'team_added_to_org'],
])

/**
 * Whether the refresh token itself is rejected: by a 400 with JSON (RFC 6749, section 5.2), or by a 200 that names an error.
 * Any other response, such as the 403 of a proxy, says nothing about the grant.
 */
const rejectsGrant = ({ status, body }: ErrorResponse, code: string) =>
  !temporaryErrors.has(code) && (code !== '' || (status === 400 && body !== undefined))

/** An administrator of the organization of an account decides which apps it may use (Google, OAuth 2.0 for Web Server Applications, Errors). */
const policyEnforced: Classification = [
  'permission',
  'account belongs to an organization whose administrator does not allow this service. Ask them to allow it, then reconnect the account.',
]

/** Classifies an error of a token endpoint: about the app, the authorization code, or the refresh token. */
const classifyTokenError = (
  { name }: TokenEndpoint['platform'],
  refreshes: boolean,
  response: ErrorResponse,
): PlatformError => {
  const { error: code = '', error_description: message = '' } = z.safeParse(ErrorBody, response.body).data ?? {}
  const info = { httpStatus: response.status, code, detail: shortDetail(message || code) }
  if (response.status === 429) {
    return classified(name, loginsLimited, { ...info, retryAfterSeconds: retryAfterOf(response) ?? 60 })
  }
  if (appErrors.has(code) || response.status === 401) return classified(name, commonErrors.appRejected, info)
  if (code === 'admin_policy_enforced') return classified(name, policyEnforced, info)
  if (!refreshes) return classified(name, commonErrors.loginRejected, info)
  return classified(
    name,
    rejectsGrant(response, code) ? commonErrors.accessRevoked : commonErrors.noClearResponse,
    info,
  )
}

const appOf = async (ctx: Context, { app, platform }: TokenEndpoint): Promise<AppSecret> =>
  app ?? readAppSecret(ctx, platform)

const guardOf = ({ guard }: TokenEndpoint) => (guard === undefined ? {} : { guard })

const authenticationOf = (
  { clientAuthentication, clientIdField = 'client_id' }: TokenEndpoint,
  { clientId, clientSecret }: AppSecret,
) => {
  if (clientAuthentication === 'form')
    return { form: { [clientIdField]: clientId, client_secret: clientSecret }, headers: {} }
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return { form: {}, headers: { authorization: `Basic ${basic}` } }
}

const readReply = <T>(
  endpoint: TokenEndpoint,
  reply: z.ZodMiniType<T>,
  refreshes: boolean,
  response: PlatformResponse,
): T => {
  // Some return errors with a 200.
  if (z.safeParse(ErrorBody, response.body).success) throw classifyTokenError(endpoint.platform, refreshes, response)
  const parsed = z.safeParse(reply, response.body)
  if (!parsed.success) throw unclearResponse(endpoint, 'unexpected response body', response.status)
  return parsed.data
}

/** Requests tokens with a grant (RFC 6749, section 3.2); `reply` is what the platform returns with them. */
export const requestTokens = async <T>(
  ctx: Context,
  endpoint: TokenEndpoint,
  grant: Readonly<Record<string, string>>,
  reply: z.ZodMiniType<T>,
): Promise<T> => {
  const app = await appOf(ctx, endpoint)
  const { form, headers } = authenticationOf(endpoint, app)
  const refreshes = grant['grant_type'] === 'refresh_token'
  const response = await sendRequest(ctx, {
    platform: endpoint.platform,
    method: 'POST',
    base: baseUrlOf(ctx, endpoint.platform, 'token'),
    path: endpoint.path,
    headers: { ...headers, ...endpoint.headers?.(app) },
    body: { form: { ...form, ...grant } },
    ...guardOf(endpoint),
    classifyError: (response) => classifyTokenError(endpoint.platform, refreshes, response),
  })
  return readReply(endpoint, reply, refreshes, response)
}

/** Ten years: no platform intends a longer lifetime, and its end may exceed the range of dates. */
const longestLifeSeconds = (10 * 365 * dayMs) / 1000

/** Tokens as stored: a lifetime in seconds becomes a time, a minute early. */
export const toCredentials = (ctx: Context, tokens: Tokens): Credentials => {
  const { expires_in: life, refresh_token_expires_in: refreshLife } = tokens
  const endAfter = (seconds: number) => ctx.clock.now() + Math.min(seconds - 60, longestLifeSeconds) * 1000
  return {
    accessToken: tokens.access_token,
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    ...(life === undefined ? {} : { expiresAtMs: endAfter(life) }),
    ...(refreshLife === undefined ? {} : { refreshExpiresAtMs: endAfter(refreshLife) }),
  }
}

/** The token of an account; throws `auth` if its credentials have none. */
export const tokenOf = ({ credentials }: ConnectedAccount, field: 'accessToken' | 'refreshToken' = 'accessToken') => {
  const token = credentials[field]
  if (typeof token === 'string') return token
  throw new PlatformError('auth', 'The account has no usable access token. Reconnect the account.')
}

export const expiryOf = ({ expiresAtMs }: Credentials): number | undefined =>
  typeof expiresAtMs === 'number' ? expiresAtMs : undefined

/** When the refresh token expires, if the platform reports it. */
export const refreshExpiryOf = ({ refreshExpiresAtMs }: Credentials): number | undefined =>
  typeof refreshExpiresAtMs === 'number' ? refreshExpiresAtMs : undefined

/** Refresh tokens that expire unused live for months: used every thirty days, they never expire. */
const renewAfterMs = 30 * dayMs

/** Credentials whose refresh token expires if it is not used. */
export const withRenewalTime = (ctx: Context, credentials: Credentials): Credentials => ({
  ...credentials,
  renewAtMs: ctx.clock.now() + renewAfterMs,
})

/** When such credentials must be renewed. */
export const renewalTimeOf = ({ renewAtMs }: Credentials): number | undefined =>
  typeof renewAtMs === 'number' ? renewAtMs : undefined

/** Exchanges the refresh token for new tokens (RFC 6749, section 6); the old one remains if the platform returns none. */
export const refreshTokens = async (
  ctx: Context,
  endpoint: TokenEndpoint,
  account: ConnectedAccount,
): Promise<Credentials> => {
  const refreshToken = tokenOf(account, 'refreshToken')
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  return { ...account.credentials, ...toCredentials(ctx, await requestTokens(ctx, endpoint, grant, Tokens)) }
}

/** Revokes a connection by its longest-lived token (RFC 7009). */
export const revokeToken = async (
  ctx: Context,
  endpoint: TokenEndpoint,
  path: string,
  account: ConnectedAccount,
): Promise<void> => {
  const app = await appOf(ctx, endpoint)
  const { form, headers } = authenticationOf(endpoint, app)
  const token = tokenOf(account, account.credentials['refreshToken'] === undefined ? 'accessToken' : 'refreshToken')
  await sendRequest(ctx, {
    platform: endpoint.platform,
    method: 'POST',
    base: baseUrlOf(ctx, endpoint.platform, 'token'),
    path,
    headers: { ...headers, ...endpoint.headers?.(app) },
    body: { form: { ...form, token } },
    ...guardOf(endpoint),
    classifyError: (response) => classifyTokenError(endpoint.platform, true, response),
  })
}

/** Revokes an access token at a platform that expects the app's credentials and the token in the form. */
export const revokeAccessToken = async (
  ctx: Context,
  endpoint: TokenEndpoint,
  path: string,
  { account, classifyError }: { account: ConnectedAccount; classifyError: (response: ErrorResponse) => PlatformError },
): Promise<void> => {
  const { form } = authenticationOf(endpoint, await appOf(ctx, endpoint))
  await sendRequest(ctx, {
    platform: endpoint.platform,
    method: 'POST',
    base: baseUrlOf(ctx, endpoint.platform, 'token'),
    path,
    body: { form: { ...form, token: tokenOf(account) } },
    classifyError,
  })
}

/** Rejects a login that lacks a scope that publishing needs. */
export const assertScopes = (name: string, needed: readonly string[], granted: string | undefined): void => {
  if (granted === undefined) return
  const given = new Set(granted.split(/[\s,]+/))
  const missing = needed.filter((scope) => !given.has(scope))
  if (missing.length === 0) return
  throw scopesRefused(name, missing)
}

/** The error of a login without scopes that publishing needs. */
export const scopesRefused = (name: string, missing: readonly string[]): PlatformError => {
  const text = `${name} access lacks permissions that publishing needs (${missing.join(', ')}). Connect the account again and grant all of them.`
  return new PlatformError('invalid', text)
}
