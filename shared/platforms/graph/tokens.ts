import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { dayMs } from '../../time.ts'
import type { ConnectedAccount, Credentials } from '../account.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import { requestJson } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { callGraph } from './call.ts'
import { classifyGraphError } from './errors.ts'
import { requestToken } from './login.ts'
import type { GraphSite } from './site.ts'

/** A platform whose tokens live for sixty days and are extended by themselves: Threads and Instagram. */
export interface LastingTokens {
  site: GraphSite
  /** How its grants begin. */
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

/** The token of sixty days for the one of an hour that a login gives. */
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
 * Sixty days more. Meta extends no token in its first day (Threads API and Instagram API, Long-Lived Tokens): of such a one it is asked
 * whether it still lives.
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

/** Extended in its last fifteen days, also while nothing is published (Long-Lived Tokens). */
export const renewLastingAtMs = ({ expiresAtMs }: Credentials): number | undefined =>
  typeof expiresAtMs === 'number' ? expiresAtMs - 15 * dayMs : undefined
