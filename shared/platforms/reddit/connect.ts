import * as z from 'zod/mini'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import {
  assertScopes,
  expiryOf,
  refreshTokens,
  requestTokens,
  revokeToken,
  type TokenEndpoint,
  Tokens,
  toCredentials,
} from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { agentOf, callReddit } from './api.ts'
import { definition } from './definition.ts'

/** Identity, posting, rules and flairs of a subreddit, and the account's posts, to find one whose response was lost. */
const needed = ['identity', 'submit', 'read', 'flair', 'history']
/** To edit and delete posts; an operator who wants neither names others, or none, as `scopes`. */
const forLiveWork = ['edit']

const tokenEndpoint: TokenEndpoint = {
  platform: definition,
  path: '/api/v1/access_token',
  clientAuthentication: 'basic',
  headers: (app) => ({ 'user-agent': agentOf(app) }),
}

const Me = z.object({
  id: z.string(),
  name: z.string(),
  icon_img: z.optional(z.nullable(z.string())),
  is_suspended: z.optional(z.boolean()),
})

/** A person authorizes the service to post as themselves. */
export const reddit: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    // Fails here, before a person is sent to Reddit, if the User-Agent is missing.
    agentOf(app)
    const query = new URLSearchParams({
      client_id: app.clientId,
      response_type: 'code',
      state,
      redirect_uri: redirectUri,
      duration: 'permanent',
      scope: scopesOf(app, needed, forLiveWork).join(' '),
    })
    return `${baseUrlOf(ctx, definition, 'auth')}/api/v1/authorize?${query}`
  },
  async connect(ctx, { code, redirectUri }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const tokens = await requestTokens(ctx, tokenEndpoint, grant, Tokens)
    assertScopes(definition.name, needed, tokens.scope)
    const credentials = toCredentials(ctx, tokens)
    const newAccount = { id: '', workspaceId: '', externalId: '', username: null, credentials, details: {} }
    const me = await callReddit(ctx, newAccount, { path: '/api/v1/me', reply: Me })
    if (me.is_suspended) throw new PlatformError('invalid', 'Reddit suspended this account. It cannot post.')
    return [
      {
        platform: definition.id,
        providerName: definition.name,
        externalId: me.id,
        username: me.name,
        displayName: me.name,
        // The query string only signs it for a limited time.
        profileImageUrl: me.icon_img?.split('?')[0] || null,
        credentials,
        details: {},
      },
    ]
  },
  // The refresh token stays the same and never ends.
  refresh: (ctx, account) => refreshTokens(ctx, tokenEndpoint, account),
  credentialsExpireAtMs: expiryOf,
  revoke: (ctx, account) => revokeToken(ctx, tokenEndpoint, '/api/v1/revoke_token', account),
}
