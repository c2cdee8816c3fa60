import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { ConnectedAccount, Credentials } from '../account.ts'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import {
  assertScopes,
  expiryOf,
  refreshTokens,
  renewalTimeOf,
  requestTokens,
  revokeAccessToken,
  type TokenEndpoint,
  Tokens,
  toCredentials,
  withRenewalTime,
} from '../oauth.ts'
import { callTikTok } from './api.ts'
import { definition } from './definition.ts'
import { classifyTikTokError } from './errors.ts'

/**
 * Name and avatar, the public handle (part of a post's URL), and publishing. Drafts need `video.upload`: TikTok rejects a
 * login that requests a scope which the app was not granted, so an operator names it as `scopes` in the secret.
 */
const scopes = ['user.info.basic', 'user.info.profile', 'video.publish']

const tokenEndpoint: TokenEndpoint = {
  platform: definition,
  path: '/v2/oauth/token/',
  clientAuthentication: 'form',
  clientIdField: 'client_key',
}

/**
 * A new pair of tokens. TikTok rotates the refresh token: the old one is invalid, and the new one expires after months
 * without use: its 180 days begin when it is issued (TikTok, Manage OAuth Access Tokens, 2026-11-05). Therefore the access
 * does not end.
 */
const refresh = async (ctx: Context, account: ConnectedAccount): Promise<Credentials> =>
  withRenewalTime(ctx, await refreshTokens(ctx, tokenEndpoint, account))

const User = z.object({
  user: z.object({
    open_id: z.string(),
    display_name: z.optional(z.string()),
    username: z.optional(z.string()),
    avatar_url: z.optional(z.string()),
  }),
})

const profileOf = async (ctx: Context, token: string) => {
  const query = { fields: 'open_id,union_id,avatar_url,display_name,username' }
  const { data } = await callTikTok(ctx, { path: '/v2/user/info/', token, query, reply: User })
  return data.user
}

/** A person authorizes the service to publish videos. */
export const tiktok: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    const query = new URLSearchParams({
      client_key: app.clientId,
      response_type: 'code',
      scope: scopesOf(app, scopes).join(','),
      redirect_uri: redirectUri,
      state,
    })
    return `${baseUrlOf(ctx, definition, 'auth')}/v2/auth/authorize/?${query}`
  },
  async connect(ctx, { code, redirectUri }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const tokens = await requestTokens(ctx, tokenEndpoint, grant, Tokens)
    assertScopes(definition.name, scopes, tokens.scope)
    const user = await profileOf(ctx, tokens.access_token)
    return [
      {
        platform: definition.id,
        providerName: definition.name,
        externalId: user.open_id,
        username: user.username || null,
        displayName: user.display_name || user.username || null,
        profileImageUrl: user.avatar_url || null,
        credentials: withRenewalTime(ctx, toCredentials(ctx, tokens)),
        details: {},
      },
    ]
  },
  async revoke(ctx, account) {
    await revokeAccessToken(ctx, tokenEndpoint, '/v2/oauth/revoke/', { account, classifyError: classifyTikTokError })
  },
  refresh,
  credentialsExpireAtMs: expiryOf,
  renewAtMs: renewalTimeOf,
}
