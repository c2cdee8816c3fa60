import * as z from 'zod/mini'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import { callGraph } from '../graph/call.ts'
import { exchangeForLasting, extendToken, renewLastingAtMs, requestToken, withoutCodeSuffix } from '../graph/login.ts'
import { assertScopes, expiryOf } from '../oauth.ts'
import { definition } from './definition.ts'
import { site, tokens } from './site.ts'

const needed = ['instagram_business_basic', 'instagram_business_content_publish']
/** For first comments; an operator whose app was not granted it names others, or none, as `scopes`. */
const forComments = ['instagram_business_manage_comments']

const Short = z.object({
  access_token: z.string(),
  permissions: z.optional(z.union([z.string(), z.array(z.string())])),
})
/** Some apps get it in a list (Instagram API, Business Login). */
const ShortAnswer = z.union([Short, z.object({ data: z.tuple([Short]) })])

const Profile = z.object({
  /** The account itself; `id` is another number, which is valid only for the app. */
  user_id: z.string(),
  username: z.string(),
  name: z.optional(z.string()),
  profile_picture_url: z.optional(z.string()),
})

/** The owner of a professional account authorizes the service. */
export const instagram: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    const query = {
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopesOf(app, needed, forComments).join(','),
      state,
    }
    return `${baseUrlOf(ctx, definition, 'auth')}/oauth/authorize?${new URLSearchParams(query)}`
  },
  /** A code is exchanged for a token of an hour, that one for a token of sixty days. */
  async connect(ctx, { code, redirectUri }) {
    const { clientId, clientSecret } = await readAppSecret(ctx, definition)
    const app = { client_id: clientId, client_secret: clientSecret }
    const form = { ...app, grant_type: 'authorization_code', redirect_uri: redirectUri, code: withoutCodeSuffix(code) }
    const path = '/oauth/access_token'
    const answer = await requestToken(ctx, site, { host: 'token', path, send: { form }, reply: ShortAnswer })
    const short = 'data' in answer ? answer.data[0] : answer
    assertScopes(definition.name, needed, short.permissions?.toString())
    const credentials = await exchangeForLasting(ctx, tokens, short.access_token)
    const query = { fields: 'user_id,username,name,profile_picture_url' }
    const profile = await callGraph(ctx, site, { token: credentials.accessToken, path: '/me', query, reply: Profile })
    return [
      {
        platform: definition.id,
        providerName: definition.name,
        externalId: profile.user_id,
        username: profile.username,
        displayName: profile.name || profile.username,
        profileImageUrl: profile.profile_picture_url ?? null,
        credentials,
        details: {},
      },
    ]
  },
  refresh: (ctx, account) => extendToken(ctx, tokens, account),
  credentialsExpireAtMs: expiryOf,
  renewAtMs: renewLastingAtMs,
}
