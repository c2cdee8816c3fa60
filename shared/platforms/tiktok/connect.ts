import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseOf } from '../bases.ts'
import type { Connector } from '../connector.ts'
import { callPlain } from '../http.ts'
import {
  askForTokens,
  demandScopes,
  keepInUse,
  keepTokens,
  keptInUseAtMs,
  refreshTokens,
  type TokenDoor,
  Tokens,
  tokenOf,
  tokensExpireAtMs,
} from '../oauth.ts'
import type { ConnectedAccount, Credentials } from '../platform.ts'
import { callTikTok } from './api.ts'
import { card } from './card.ts'
import { sortTikTok } from './errors.ts'

/** Name and picture, the public handle (part of a post's address), and to publish. */
const scopes = ['user.info.basic', 'user.info.profile', 'video.publish']

const door: TokenDoor = {
  platform: { ...card, id: 'tiktok' },
  path: '/v2/oauth/token/',
  app: 'form',
  idField: 'client_key',
}

/** A new pair of tokens; TikTok rotates the refresh token, the old one dies, and the new one unused for months (platforms-b, 2). */
const refresh = async (ctx: Context, account: ConnectedAccount): Promise<Credentials> =>
  keepInUse(ctx, await refreshTokens(ctx, door, account))

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

/** A person lets the service publish videos. */
export const tiktok: Connector = {
  async authorizeUrl(ctx, { state, redirectUri }) {
    const { clientId } = await readAppSecret(ctx, card)
    const query = new URLSearchParams({
      client_key: clientId,
      response_type: 'code',
      scope: scopes.join(','),
      redirect_uri: redirectUri,
      state,
    })
    return `${baseOf(ctx, 'tiktok', 'auth')}/v2/auth/authorize/?${query}`
  },
  async connect(ctx, { code, redirectUri }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const tokens = await askForTokens(ctx, door, grant, Tokens)
    demandScopes(card.name, scopes, tokens.scope)
    const user = await profileOf(ctx, tokens.access_token)
    return [
      {
        platform: card.id,
        providerName: card.name,
        externalId: user.open_id,
        username: user.username || null,
        displayName: user.display_name || user.username || null,
        profileImageUrl: user.avatar_url || null,
        credentials: keepInUse(ctx, keepTokens(ctx, tokens)),
        details: {},
      },
    ]
  },
  async revoke(ctx, account) {
    const { clientId, clientSecret } = await readAppSecret(ctx, card)
    await callPlain(ctx, {
      platform: card,
      method: 'POST',
      base: baseOf(ctx, 'tiktok', 'token'),
      path: '/v2/oauth/revoke/',
      body: { form: { client_key: clientId, client_secret: clientSecret, token: tokenOf(account) } },
      sort: sortTikTok,
    })
  },
  refresh,
  credentialsExpireAtMs: tokensExpireAtMs,
  renewAtMs: keptInUseAtMs,
}
