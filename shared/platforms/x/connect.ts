import * as z from 'zod/mini'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import { requestJson } from '../http.ts'
import {
  assertScopes,
  expiryOf,
  refreshTokens,
  renewalTimeOf,
  requestTokens,
  revokeToken,
  type TokenEndpoint,
  Tokens,
  toCredentials,
  withRenewalTime,
} from '../oauth.ts'
import { classifyXError } from './errors.ts'
import { named } from './name.ts'

const scopes = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access']

const tokenEndpoint: TokenEndpoint = { platform: named, path: '/2/oauth2/token', clientAuthentication: 'basic' }

const Me = z.object({
  data: z.object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    profile_image_url: z.optional(z.string()),
    subscription_type: z.optional(z.string()),
  }),
})

/** Decided: every paid tier counts as premium; a missing field does not (X API, User, subscription_type). */
const tierOf = (subscription: string | undefined): string =>
  subscription === undefined || subscription === 'None' ? 'free' : 'premium'

const profileQuery = { 'user.fields': 'id,name,username,profile_image_url,subscription_type' }

/** A person authorizes the service to post for an X account. The code lives thirty seconds and is exchanged immediately. */
export const x: Connector = {
  async authorizationUrl(ctx, { state, redirectUri, codeChallenge }) {
    const { clientId } = await readAppSecret(ctx, named)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
    return `${baseUrlOf(ctx, named, 'auth')}/i/oauth2/authorize?${query}`
  },
  async connect(ctx, { code, redirectUri, codeVerifier }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
    const tokens = await requestTokens(ctx, tokenEndpoint, grant, Tokens)
    assertScopes(named.name, scopes, tokens.scope)
    const { data: me } = await requestJson(ctx, {
      platform: named,
      method: 'GET',
      base: baseUrlOf(ctx, named, 'api'),
      path: '/2/users/me',
      query: profileQuery,
      headers: { authorization: `Bearer ${tokens.access_token}` },
      reply: Me,
      classifyError: classifyXError,
    })
    return [
      {
        platform: named.id,
        providerName: named.name,
        externalId: me.id,
        username: me.username,
        displayName: me.name,
        profileImageUrl: me.profile_image_url?.replace('_normal.', '_400x400.') ?? null,
        // Refresh tokens lapse after about six months without use.
        credentials: withRenewalTime(ctx, toCredentials(ctx, tokens)),
        details: { tier: tierOf(me.subscription_type) },
      },
    ]
  },
  credentialsExpireAtMs: expiryOf,
  async refresh(ctx, account) {
    return withRenewalTime(ctx, await refreshTokens(ctx, tokenEndpoint, account))
  },
  renewAtMs: renewalTimeOf,
  revoke: (ctx, account) => revokeToken(ctx, tokenEndpoint, '/2/oauth2/revoke', account),
}
