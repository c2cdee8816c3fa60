import * as z from 'zod/mini'
import { readAppSecret } from '../app-secret.ts'
import { baseOf } from '../bases.ts'
import type { Connector } from '../connector.ts'
import { callGraph } from '../graph/call.ts'
import { askTokenDoor, bareCode } from '../graph/login.ts'
import { exchangeForLasting, extendToken, renewLastingAtMs } from '../graph/tokens.ts'
import { tokensExpireAtMs } from '../oauth.ts'
import { card } from './card.ts'
import { site, tokens } from './site.ts'

const scopes = 'threads_basic,threads_content_publish'

const Profile = z.object({
  /** As text: Meta's numbers are larger than JavaScript's. */
  id: z.string(),
  username: z.optional(z.string()),
  name: z.optional(z.string()),
  threads_profile_picture_url: z.optional(z.string()),
})

/** A person lets the service into their Threads profile. */
export const threads: Connector = {
  async authorizeUrl(ctx, { state, redirectUri }) {
    const { clientId } = await readAppSecret(ctx, card)
    const query = { client_id: clientId, redirect_uri: redirectUri, scope: scopes, response_type: 'code', state }
    return `${baseOf(ctx, 'threads', 'auth')}/oauth/authorize?${new URLSearchParams(query)}`
  },
  /** A code becomes a token of an hour, that one a token of sixty days. */
  async connect(ctx, { code, redirectUri }) {
    const { clientId, clientSecret } = await readAppSecret(ctx, card)
    const app = { client_id: clientId, client_secret: clientSecret }
    const form = { ...app, code: bareCode(code), grant_type: 'authorization_code', redirect_uri: redirectUri }
    const path = '/oauth/access_token'
    const reply = z.object({ access_token: z.string() })
    const { access_token: short } = await askTokenDoor(ctx, site, { door: 'token', path, send: { form }, reply })
    const credentials = await exchangeForLasting(ctx, tokens, short)
    const query = { fields: 'id,username,name,threads_profile_picture_url' }
    const profile = await callGraph(ctx, site, { token: credentials.accessToken, path: '/me', query, reply: Profile })
    return [
      {
        platform: card.id,
        providerName: card.name,
        externalId: profile.id,
        username: profile.username ?? null,
        displayName: profile.name || (profile.username ?? null),
        profileImageUrl: profile.threads_profile_picture_url ?? null,
        credentials,
        details: {},
      },
    ]
  },
  refresh: (ctx, account) => extendToken(ctx, tokens, account),
  credentialsExpireAtMs: tokensExpireAtMs,
  renewAtMs: renewLastingAtMs,
}
