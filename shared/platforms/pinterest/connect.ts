import * as z from 'zod/mini'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import {
  assertScopes,
  expiryOf,
  refreshTokens,
  requestTokens,
  type TokenEndpoint,
  Tokens,
  toCredentials,
} from '../oauth.ts'
import { callPinterest } from './api.ts'
import { definition } from './definition.ts'

const neededScopes = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']
/**
 * For boards that only their owner sees; an operator whose app was not granted them names others, or none, as `scopes`.
 */
const secretScopes = ['boards:read_secret', 'boards:write_secret', 'pins:read_secret', 'pins:write_secret']

const tokenEndpoint: TokenEndpoint = {
  platform: definition,
  path: '/v5/oauth/token',
  clientAuthentication: 'basic',
}

const Profile = z.object({
  id: z.string(),
  username: z.string(),
  business_name: z.optional(z.nullable(z.string())),
  profile_image: z.optional(z.nullable(z.string())),
})

/** Pinterest has no call to end a connection: disconnecting only deletes the tokens. */
export const pinterest: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    const query = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopesOf(app, neededScopes, secretScopes).join(','),
      state,
    })
    return `${baseUrlOf(ctx, definition, 'auth')}/oauth/?${query}`
  },
  async connect(ctx, { code, redirectUri }) {
    // Refresh tokens of older apps would end after 60 days without `continuous_refresh` (Pinterest API v5, Authentication).
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, continuous_refresh: 'true' }
    const tokens = await requestTokens(ctx, tokenEndpoint, grant, Tokens)
    assertScopes(definition.name, neededScopes, tokens.scope)
    const credentials = toCredentials(ctx, tokens)
    const newAccount = { id: '', workspaceId: '', externalId: '', username: null, credentials, details: {} }
    const profile = await callPinterest(ctx, newAccount, { path: '/user_account', reply: Profile })
    return [
      {
        platform: definition.id,
        providerName: definition.name,
        externalId: profile.id,
        username: profile.username,
        displayName: profile.business_name || profile.username,
        profileImageUrl: profile.profile_image || null,
        credentials,
        details: {},
      },
    ]
  },
  // Every refresh gives a new refresh token, and invalidates the old one.
  refresh: (ctx, account) => refreshTokens(ctx, tokenEndpoint, account),
  credentialsExpireAtMs: expiryOf,
  // An idle account's refresh token would lapse after 60 days: it is renewed when its access token ends, after 30.
  renewAtMs: expiryOf,
}
