import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { ConnectedAccount, Credentials } from '../account.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connection } from '../connection.ts'
import type { Connector } from '../connector.ts'
import {
  assertScopes,
  expiryOf,
  refreshTokens,
  requestTokens,
  revokeAccessToken,
  type TokenEndpoint,
  Tokens,
  toCredentials,
} from '../oauth.ts'
import { askLinkedIn } from './api.ts'
import { definition } from './definition.ts'
import { classifyLinkedInError } from './errors.ts'
import { fetchPages, maySpeakForPages } from './pages.ts'

/** Who it is, and to post as them; every app may ask for these. */
const scopes = ['openid', 'profile', 'w_member_social']

const tokenEndpoint: TokenEndpoint = {
  platform: definition,
  path: '/oauth/v2/accessToken',
  clientAuthentication: 'form',
}

/** Only approved apps are given refresh tokens: without one the person connects again every sixty days. */
const refresh = (ctx: Context, account: ConnectedAccount): Promise<Credentials> =>
  refreshTokens(ctx, tokenEndpoint, account)

const Member = z.object({ sub: z.string(), name: z.optional(z.string()), picture: z.optional(z.string()) })

const connection = (
  externalId: string,
  shown: Pick<Connection, 'username' | 'displayName' | 'profileImageUrl'>,
): Omit<Connection, 'credentials' | 'details'> => ({
  platform: definition.id,
  providerName: definition.name,
  externalId,
  ...shown,
})

const memberOf = async (ctx: Context, token: string) => {
  const { sub, name, picture } = await askLinkedIn(ctx, { token, path: '/v2/userinfo', reply: Member })
  // LinkedIn returns no public handle of a member.
  const shown = { username: null, displayName: name ?? null, profileImageUrl: picture ?? null }
  return connection(`urn:li:person:${sub}`, shown)
}

/** A person lets the service post for them, and for the pages they look after where the app may do that. */
export const linkedin: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      state,
      scope: [...scopes, ...(app.scopes?.split(/\s+/).filter(Boolean) ?? [])].join(' '),
    })
    return `${baseUrlOf(ctx, definition, 'auth')}/oauth/v2/authorization?${query}`
  },
  async connect(ctx, { code, redirectUri }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const tokens = await requestTokens(ctx, tokenEndpoint, grant, Tokens)
    assertScopes(definition.name, scopes, tokens.scope)
    const token = tokens.access_token
    const member = await memberOf(ctx, token)
    const pages = maySpeakForPages(tokens.scope) ? await fetchPages(ctx, token) : []
    const all = [member, ...pages.map(({ urn, ...shown }) => connection(urn, shown))]
    const credentials = toCredentials(ctx, tokens)
    const details: Connection['details'] = all.length > 1 ? { sharedToken: 'yes' } : {}
    return all.map((one) => ({ ...one, credentials, details }))
  },
  async revoke(ctx, account) {
    // The accounts of one login have one token: to end it for one of them would end it for all.
    if (account.details['sharedToken'] === 'yes') return
    await revokeAccessToken(ctx, tokenEndpoint, '/oauth/v2/revoke', account, classifyLinkedInError)
  },
  refresh,
  credentialsExpireAtMs: expiryOf,
}
