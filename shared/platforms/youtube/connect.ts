import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { ConnectedAccount, Credentials } from '../account.ts'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import { sendRequest } from '../http.ts'
import {
  assertScopes,
  expiryOf,
  refreshExpiryOf,
  refreshTokens,
  renewalTimeOf,
  requestTokens,
  type TokenEndpoint,
  Tokens,
  toCredentials,
  tokenOf,
  withRenewalTime,
} from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { callYouTube } from './api.ts'
import { definition } from './definition.ts'
import { classifyYouTubeError } from './errors.ts'

/** To upload, and to read the channel and its uploads. */
const needed = ['https://www.googleapis.com/auth/youtube.upload', 'https://www.googleapis.com/auth/youtube.readonly']
/**
 * For first comments, captions, and playlists, and to edit and delete videos; an operator whose app was not granted it names others, or none, as
 * `scopes`.
 */
const forLiveWork = ['https://www.googleapis.com/auth/youtube.force-ssl']

const tokenEndpoint: TokenEndpoint = {
  platform: definition,
  path: '/token',
  clientAuthentication: 'form',
}

/**
 * A new access token; the refresh token stays valid if it is used within six months (Google, OAuth 2.0, Refresh token
 * expiration).
 */
const refresh = async (ctx: Context, account: ConnectedAccount): Promise<Credentials> =>
  withRenewalTime(ctx, await refreshTokens(ctx, tokenEndpoint, account))

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
  const { items = [] } = await callYouTube(ctx, { path: '/channels', token, query, reply: Channels })
  const [channel] = items
  if (channel !== undefined) return channel
  throw new PlatformError(
    'invalid',
    'YouTube channel not found for this Google account. Create one, then connect again.',
  )
}

/** A person authorizes the service to upload to the channel that they choose. */
export const youtube: Connector = {
  async authorizationUrl(ctx, { state, redirectUri, codeChallenge }) {
    const app = await readAppSecret(ctx, definition)
    const query = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopesOf(app, needed, forLiveWork).join(' '),
      // Without both of these, Google returns no refresh token.
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
    return `${baseUrlOf(ctx, definition, 'auth')}/o/oauth2/v2/auth?${query}`
  },
  async connect(ctx, { code, redirectUri, codeVerifier }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
    const tokens = await requestTokens(ctx, tokenEndpoint, grant, Tokens)
    assertScopes(definition.name, needed, tokens.scope)
    const { id, snippet, contentDetails } = await channelOf(ctx, tokens.access_token)
    const { uploads } = contentDetails.relatedPlaylists
    return [
      {
        platform: definition.id,
        providerName: definition.name,
        externalId: id,
        username: snippet.customUrl?.replace(/^@/, '') || null,
        displayName: snippet.title,
        profileImageUrl: snippet.thumbnails?.default?.url ?? null,
        credentials: withRenewalTime(ctx, toCredentials(ctx, tokens)),
        details: uploads === undefined ? {} : { uploads },
      },
    ]
  },
  async revoke(ctx, account) {
    const { refreshToken } = account.credentials
    // Revoking the refresh token revokes everything derived from it.
    const token = typeof refreshToken === 'string' ? refreshToken : tokenOf(account)
    await sendRequest(ctx, {
      platform: definition,
      method: 'POST',
      base: baseUrlOf(ctx, definition, 'token'),
      path: '/revoke',
      body: { form: { token } },
      classifyError: classifyYouTubeError,
    })
  },
  refresh,
  credentialsExpireAtMs: expiryOf,
  renewAtMs: renewalTimeOf,
  // Set if the access is time-based, or if the app has the status Testing: seven days (Google, OAuth 2.0, Refresh token
  // expiration).
  accessEndsAtMs: refreshExpiryOf,
}
