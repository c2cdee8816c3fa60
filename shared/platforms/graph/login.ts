import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { dayMs } from '../../time.ts'
import type { ConnectedAccount, Credentials } from '../account.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type ErrorResponse, requestJson } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'
import { callGraph } from './call.ts'
import { classifyGraphError } from './errors.ts'
import type { GraphSite } from './site.ts'

/** The two error formats of Meta's token endpoints. */
const Flat = z.object({ error_message: z.string() })
const Nested = z.object({ error: z.object({ message: z.string() }) })

/** Terms that refer to the app and not to the person. */
const aboutApp = /client[ _](id|secret)|platform app|validating application/i

/** Classifies an error of a token endpoint while a person connects an account. */
const classifyLoginError = (site: GraphSite, answer: ErrorResponse, secrets: readonly string[]): PlatformError => {
  const { name } = site.platform
  const flat = z.safeParse(Flat, answer.body).data?.error_message
  const message = flat ?? z.safeParse(Nested, answer.body).data?.error.message ?? ''
  if (aboutApp.test(message)) {
    return classified(name, commonErrors.appRejected, { httpStatus: answer.status, detail: shortDetail(message) })
  }
  const error = classifyGraphError(site, answer, { creates: false, secrets })
  if (flat === undefined && (error.errorClass === 'rate' || error.errorClass === 'transient')) return error
  return classified(name, commonErrors.loginRejected, error.info)
}

interface TokenRequest<T> {
  host: 'token' | 'api'
  path: string
  /** In the form or in the query, as the endpoint requires. */
  send: { form: Readonly<Record<string, string>> } | { query: Readonly<Record<string, string>> }
  reply: z.ZodMiniType<T>
}

/** Requests a token for a person who connects an account (RFC 6749, section 4.1.3). */
export const requestToken = <T>(
  ctx: Context,
  site: GraphSite,
  { host, path, send, reply }: TokenRequest<T>,
): Promise<T> => {
  const fields = 'form' in send ? send.form : send.query
  const secrets = ['client_secret', 'access_token', 'fb_exchange_token', 'code'].map((field) => fields[field] ?? '')
  return requestJson(ctx, {
    platform: site.platform,
    base: baseUrlOf(ctx, site.platform, host),
    path,
    ...('form' in send ? { method: 'POST', body: send } : { method: 'GET', query: send.query }),
    reply,
    classifyError: (answer) => classifyLoginError(site, answer, secrets),
  })
}

/** Meta appends `#_` to authorization codes. */
export const withoutCodeSuffix = (code: string): string => code.replace(/#_$/, '')

/** A platform whose tokens live for sixty days and are extended directly: Threads and Instagram. */
export interface LastingTokens {
  site: GraphSite
  /** The prefix of its grant types. */
  grant: 'th' | 'ig'
}

const Lasting = z.object({ access_token: z.string(), expires_in: z.number() })

/** A minute early, as no clock agrees with another. */
const earlySeconds = 60

const keep = (ctx: Context, { access_token: accessToken, expires_in: seconds }: z.infer<typeof Lasting>) => ({
  accessToken,
  issuedAtMs: ctx.clock.now(),
  expiresAtMs: ctx.clock.now() + (seconds - earlySeconds) * 1000,
})

/** Exchanges the one-hour token of a login for a token of sixty days. */
export const exchangeForLasting = async (
  ctx: Context,
  { site, grant }: LastingTokens,
  shortToken: string,
): Promise<Credentials & { accessToken: string }> => {
  const { clientSecret } = await readAppSecret(ctx, site.platform)
  const query = { grant_type: `${grant}_exchange_token`, client_secret: clientSecret, access_token: shortToken }
  return keep(
    ctx,
    await requestToken(ctx, site, { host: 'api', path: '/access_token', send: { query }, reply: Lasting }),
  )
}

/**
 * Extends a token by sixty days. Meta does not extend a token in its first day (Threads API and Instagram API, Long-Lived
 * Tokens): for such a token, the query is whether it is still live.
 */
export const extendToken = async (
  ctx: Context,
  { site, grant }: LastingTokens,
  account: ConnectedAccount,
): Promise<Credentials> => {
  const token = tokenOf(account)
  const { credentials } = account
  if (Number(credentials['issuedAtMs']) + dayMs > ctx.clock.now()) {
    await callGraph(ctx, site, { token, path: '/me', query: { fields: 'id' }, reply: z.object({ id: z.string() }) })
    return credentials
  }
  const extended = await requestJson(ctx, {
    platform: site.platform,
    method: 'GET',
    base: baseUrlOf(ctx, site.platform, 'api'),
    path: '/refresh_access_token',
    query: { grant_type: `${grant}_refresh_token`, access_token: token },
    reply: Lasting,
    classifyError: (answer) => classifyGraphError(site, answer, { creates: false, secrets: [token] }),
  })
  return { ...credentials, ...keep(ctx, extended) }
}

/** Extended in its last fifteen days, even if nothing is published (Long-Lived Tokens). */
export const renewLastingAtMs = ({ expiresAtMs }: Credentials): number | undefined =>
  typeof expiresAtMs === 'number' ? expiresAtMs - 15 * dayMs : undefined
