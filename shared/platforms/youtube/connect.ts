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
import { type ConnectedAccount, type Credentials, PlatformError } from '../platform.ts'
import { readYouTube } from './api.ts'
import { card } from './card.ts'
import { sortYouTube } from './errors.ts'

/** To upload, and to read the channel and what was uploaded to it. */
const scopes = ['https://www.googleapis.com/auth/youtube.upload', 'https://www.googleapis.com/auth/youtube.readonly']

const door: TokenDoor = { platform: { ...card, id: 'youtube' }, path: '/token', app: 'form' }

/** A new access token; the refresh token stays, unless nobody used it for six months (platforms-b, 5.1). */
const refresh = async (ctx: Context, account: ConnectedAccount): Promise<Credentials> =>
  keepInUse(ctx, await refreshTokens(ctx, door, account))

const Channels = z.object({
  items: z.optional(
    z.array(
      z.object({
        id: z.string(),
        snippet: z.object({
          title: z.string(),
          customUrl: z.optional(z.string()),
          thumbnails: z.optional(z.object({ default: z.optional(z.object({ url: z.string() })) })),
        }),
        contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.optional(z.string()) }) }),
      }),
    ),
  ),
})

const channelOf = async (ctx: Context, token: string) => {
  const query = { part: 'snippet,contentDetails', mine: 'true' }
  const { items = [] } = await readYouTube(ctx, { path: '/channels', token, query, reply: Channels })
  const [channel] = items
  if (channel !== undefined) return channel
  throw new PlatformError('invalid', 'This Google account has no YouTube channel: create one, then connect again.')
}

/** A person lets the service upload to the channel they choose. */
export const youtube: Connector = {
  async authorizeUrl(ctx, { state, redirectUri, challenge }) {
    const { clientId } = await readAppSecret(ctx, card)
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopes.join(' '),
      // Without both of these Google gives no refresh token.
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    return `${baseOf(ctx, 'youtube', 'auth')}/o/oauth2/v2/auth?${query}`
  },
  async connect(ctx, { code, redirectUri, verifier }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    const tokens = await askForTokens(ctx, door, grant, Tokens)
    demandScopes(card.name, scopes, tokens.scope)
    const { id, snippet, contentDetails } = await channelOf(ctx, tokens.access_token)
    const { uploads } = contentDetails.relatedPlaylists
    return [
      {
        platform: card.id,
        providerName: card.name,
        externalId: id,
        username: snippet.customUrl?.replace(/^@/, '') || null,
        displayName: snippet.title,
        profileImageUrl: snippet.thumbnails?.default?.url ?? null,
        credentials: keepInUse(ctx, keepTokens(ctx, tokens)),
        details: uploads === undefined ? {} : { uploads },
      },
    ]
  },
  async revoke(ctx, account) {
    const { refreshToken } = account.credentials
    // The refresh token ends all that came from it.
    const token = typeof refreshToken === 'string' ? refreshToken : tokenOf(account)
    await callPlain(ctx, {
      platform: card,
      method: 'POST',
      base: baseOf(ctx, 'youtube', 'token'),
      path: '/revoke',
      body: { form: { token } },
      sort: sortYouTube,
    })
  },
  refresh,
  credentialsExpireAtMs: tokensExpireAtMs,
  renewAtMs: keptInUseAtMs,
}
