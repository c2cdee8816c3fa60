import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { ConnectedAccount, Credentials } from './account.ts'
import { type AppSecret, readAppSecret } from './app-secret.ts'
import { baseUrlOf } from './base-urls.ts'
import type { PlatformDefinition } from './definition.ts'
import { type ErrorResponse, type PlatformResponse, retryAfterSeconds, sendRequest, shorten, unclear } from './http.ts'
import { PlatformError } from './platform-error.ts'

/** Where a platform gives tokens, and how the operator's app proves itself there. */
export interface TokenEndpoint {
  platform: Pick<PlatformDefinition, 'name'> & { id: Parameters<typeof baseUrlOf>[1] }
  path: string
  /** In a Basic header, or as fields of the form. */
  app: 'basic' | 'form'
  /** TikTok's name for the id of an app differs. */
  idField?: 'client_id' | 'client_key'
  /** What a platform wants to see beside that, such as Reddit its caller's name. */
  headers?(app: AppSecret): Readonly<Record<string, string>>
}

/** What every platform's token answer has in common; some say more. */
export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.optional(z.string()),
  expires_in: z.optional(z.number()),
  scope: z.optional(z.string()),
})
export type Tokens = z.infer<typeof Tokens>

const Refused = z.object({ error: z.string(), error_description: z.optional(z.string()) })

/** Errors that speak of the app and not of the person. */
const appErrors = new Set([
  ...['invalid_client', 'unauthorized_client', 'invalid_client_id', 'bad_client_secret'],
  ...['disabled_client', 'deleted_client'],
])

/** Errors of a door that is in trouble: those of RFC 6749 (4.1.2.1), of Google, TikTok and Slack. */
const passing = new Set([
  ...['temporarily_unavailable', 'server_error', 'slow_down', 'internal_failure', 'internal_error', 'fatal_error'],
  ...['service_unavailable', 'request_timeout', 'ratelimited', 'rate_limited', 'team_added_to_org'],
])

/**
 * Whether a door refuses the refresh token itself: by a 400 with JSON (RFC 6749, 5.2), or by a 200 that names an error.
 * Anything else, such as the 403 of an edge, says nothing of the grant.
 */
const refusesGrant = ({ status, body }: ErrorResponse, code: string) =>
  !passing.has(code) && (code !== '' || (status === 400 && body !== undefined))

/** Sorts what a token door refuses: the app, the code of a connect, or the token to refresh. */
const sortTokens = ({ name }: TokenEndpoint['platform'], refreshes: boolean, answer: ErrorResponse): PlatformError => {
  const refused = z.safeParse(Refused, answer.body).data
  const { error: code = '', error_description: words = '' } = refused ?? {}
  const facts = { httpStatus: answer.status, code, detail: shorten(words || code) }
  if (answer.status === 429) {
    const text = `${name} takes no more logins for a while.`
    return new PlatformError('rate', text, { ...facts, retryAfterSeconds: retryAfterSeconds(answer.headers) ?? 60 })
  }
  if (appErrors.has(code) || answer.status === 401) {
    const text = `${name} refuses the app of this service: its operator must look after it.`
    return new PlatformError('permission', text, { ...facts, operator: true })
  }
  if (refreshes && !refusesGrant(answer, code)) {
    return new PlatformError('transient', `${name} gave no clear answer.`, facts)
  }
  return refreshes
    ? new PlatformError('auth', `${name} does not accept the connection any more: connect the account again.`, facts)
    : new PlatformError('invalid', `${name} did not accept the login: start it again.`, facts)
}

const proof = ({ app, idField = 'client_id' }: TokenEndpoint, { clientId, clientSecret }: AppSecret) => {
  if (app === 'form') return { form: { [idField]: clientId, client_secret: clientSecret }, headers: {} }
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return { form: {}, headers: { authorization: `Basic ${basic}` } }
}

const readReply = <T>(
  door: TokenEndpoint,
  reply: z.ZodMiniType<T>,
  refreshes: boolean,
  answer: PlatformResponse,
): T => {
  // Some say no with a 200.
  const refused = z.safeParse(Refused, answer.body)
  if (refused.success) throw sortTokens(door.platform, refreshes, answer)
  const parsed = z.safeParse(reply, answer.body)
  if (!parsed.success) throw unclear(door, 'an answer of another shape', answer.status)
  return parsed.data
}

/** Asks for tokens with a grant; `reply` is what the platform tells beside them. */
export const requestTokens = async <T>(
  ctx: Context,
  door: TokenEndpoint,
  grant: Readonly<Record<string, string>>,
  reply: z.ZodMiniType<T>,
): Promise<T> => {
  const app = await readAppSecret(ctx, door.platform)
  const { form, headers } = proof(door, app)
  const refreshes = grant['grant_type'] === 'refresh_token'
  const answer = await sendRequest(ctx, {
    platform: door.platform,
    method: 'POST',
    base: baseUrlOf(ctx, door.platform.id, 'token'),
    path: door.path,
    headers: { ...headers, ...door.headers?.(app) },
    body: { form: { ...form, ...grant } },
    sort: (refusal) => sortTokens(door.platform, refreshes, refusal),
  })
  return readReply(door, reply, refreshes, answer)
}

/** Tokens as they are kept: whole seconds of life become a moment, a minute early. */
export const toCredentials = (ctx: Context, tokens: Tokens): Credentials => ({
  accessToken: tokens.access_token,
  ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
  ...(tokens.expires_in === undefined ? {} : { expiresAtMs: ctx.clock.now() + (tokens.expires_in - 60) * 1000 }),
})

/** The token that a call is made with; an account whose credentials have none must be connected again. */
export const tokenOf = ({ credentials }: ConnectedAccount, field: 'accessToken' | 'refreshToken' = 'accessToken') => {
  const token = credentials[field]
  if (typeof token === 'string') return token
  throw new PlatformError('auth', 'The account must be connected again.')
}

export const expiryOf = ({ expiresAtMs }: Credentials): number | undefined =>
  typeof expiresAtMs === 'number' ? expiresAtMs : undefined

/** Refresh tokens that die unused live for months: used every thirty days they never do. */
const renewAfterMs = 30 * 86_400_000

/** Credentials whose refresh token lapses when nobody uses it. */
export const withRenewalTime = (ctx: Context, credentials: Credentials): Credentials => ({
  ...credentials,
  renewAtMs: ctx.clock.now() + renewAfterMs,
})

/** When such credentials are renewed at the latest. */
export const renewalTimeOf = ({ renewAtMs }: Credentials): number | undefined =>
  typeof renewAtMs === 'number' ? renewAtMs : undefined

/** New tokens for old by the refresh token, which stays where the platform gives no new one. */
export const refreshTokens = async (
  ctx: Context,
  door: TokenEndpoint,
  account: ConnectedAccount,
): Promise<Credentials> => {
  const refreshToken = tokenOf(account, 'refreshToken')
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  return { ...account.credentials, ...toCredentials(ctx, await requestTokens(ctx, door, grant, Tokens)) }
}

/** Gives a connection back by the token that holds it longest (RFC 7009). */
export const revokeToken = async (
  ctx: Context,
  door: TokenEndpoint,
  path: string,
  account: ConnectedAccount,
): Promise<void> => {
  const app = await readAppSecret(ctx, door.platform)
  const { form, headers } = proof(door, app)
  const token = tokenOf(account, account.credentials['refreshToken'] === undefined ? 'accessToken' : 'refreshToken')
  await sendRequest(ctx, {
    platform: door.platform,
    method: 'POST',
    base: baseUrlOf(ctx, door.platform.id, 'token'),
    path,
    headers: { ...headers, ...door.headers?.(app) },
    body: { form: { ...form, token } },
    sort: (refusal) => sortTokens(door.platform, true, refusal),
  })
}

/** Refuses a login in which the person has unticked what publishing needs. */
export const assertScopes = (name: string, needed: readonly string[], granted: string | undefined): void => {
  if (granted === undefined) return
  const given = new Set(granted.split(/[\s,]+/))
  const missing = needed.filter((scope) => !given.has(scope))
  if (missing.length === 0) return
  const text = `${name} was not given all that publishing needs (${missing.join(', ')}): connect it again and allow everything.`
  throw new PlatformError('invalid', text)
}
