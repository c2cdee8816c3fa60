import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import { callGraph } from '../graph/call.ts'
import { exchangeForLasting, extendToken, renewLastingAtMs, requestToken, withoutCodeSuffix } from '../graph/login.ts'
import { expiryOf, scopesRefused } from '../oauth.ts'
import { definition } from './definition.ts'
import { isNotPermitted } from './errors.ts'
import { site, tokens } from './site.ts'

const publishScope = 'threads_content_publish'
const neededScopes = ['threads_basic', publishScope]
/**
 * For threads: `threads_manage_replies` to reply, `threads_read_replies` to find a reply whose response was lost (Threads
 * API, Reply Management, 2026-02-13). `threads_delete` to delete posts (Delete Posts, 2026-11-27: 100 a day). An operator whose app was
 * not granted them names others, or none, as `scopes`.
 */
const optionalScopes = ['threads_manage_replies', 'threads_read_replies', 'threads_delete']

const Profile = z.object({
  /** As text: Meta's numbers are larger than JavaScript's. */
  id: z.string(),
  username: z.optional(z.string()),
  name: z.optional(z.string()),
  threads_profile_picture_url: z.optional(z.string()),
})

/**
 * Throws if the token may not publish. No login response names its scopes, and `/debug_token` accepts tokens of testers
 * only; the quota of posts is shown to accounts that may publish (Threads API, Overview, Posts, 2025-12-22).
 */
const assertMayPublish = async (ctx: Context, token: string, user: string): Promise<void> => {
  const path = '/{user}/threads_publishing_limit'
  const query = { fields: 'quota_usage' }
  await callGraph(ctx, site, { token, path, params: { user }, query, reply: z.object({}) }).catch((error: unknown) => {
    throw isNotPermitted(error) ? scopesRefused(definition.name, [publishScope]) : error
  })
}

/** A person authorizes the service for their Threads profile. */
export const threads: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    const scope = scopesOf(app, neededScopes, optionalScopes).join(',')
    const query = { client_id: app.clientId, redirect_uri: redirectUri, scope, response_type: 'code', state }
    return `${baseUrlOf(ctx, definition, 'auth')}/oauth/authorize?${new URLSearchParams(query)}`
  },
  /** A code is exchanged for a token of an hour, that one for a token of sixty days. */
  async connect(ctx, { code, redirectUri }) {
    const { clientId, clientSecret } = await readAppSecret(ctx, definition)
    const app = { client_id: clientId, client_secret: clientSecret }
    const form = { ...app, code: withoutCodeSuffix(code), grant_type: 'authorization_code', redirect_uri: redirectUri }
    const path = '/oauth/access_token'
    const reply = z.object({ access_token: z.string() })
    const { access_token: short } = await requestToken(ctx, site, { host: 'token', path, send: { form }, reply })
    const credentials = await exchangeForLasting(ctx, tokens, short)
    const query = { fields: 'id,username,name,threads_profile_picture_url' }
    const profile = await callGraph(ctx, site, { token: credentials.accessToken, path: '/me', query, reply: Profile })
    await assertMayPublish(ctx, credentials.accessToken, profile.id)
    return [
      {
        platform: definition.id,
        providerName: definition.name,
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
  credentialsExpireAtMs: expiryOf,
  renewAtMs: renewLastingAtMs,
}
