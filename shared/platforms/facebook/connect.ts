import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Connection } from '../account.ts'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import { callGraph } from '../graph/call.ts'
import { requestToken, withoutCodeSuffix } from '../graph/login.ts'
import { assertScopes } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'
import { fetchPages, type UsablePage } from './pages.ts'
import { site } from './site.ts'

const needed = ['pages_show_list', 'pages_manage_posts', 'pages_read_engagement']
/** Required for pages that a person manages through a business; other pages do not need it. */
const forBusinesses = 'business_management'
/** For first comments; an operator whose app was not granted it names others, or none, as `scopes`. */
const forComments = ['pages_manage_engagement']

const Permissions = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })

const readGranted = async (ctx: Context, token: string): Promise<string[]> => {
  const { data } = await callGraph(ctx, site, { token, path: '/me/permissions', reply: Permissions })
  return data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
}

const Person = z.object({ id: z.string() })

const connectionOf = (page: UsablePage, person: string): Connection => ({
  platform: definition.id,
  providerName: definition.name,
  externalId: page.id,
  username: page.username ?? null,
  displayName: page.name,
  profileImageUrl: page.picture?.data.url ?? null,
  // If requested with a token of sixty days, a page token has no end (Facebook Login, Long-Lived Tokens).
  credentials: { accessToken: page.access_token },
  // A person's grant covers all their pages: it is revoked with the last of them.
  sharedGrant: person,
  details: { person },
})

/** A person who manages pages authorizes the service, and chooses among the pages. */
export const facebook: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    const scope = scopesOf(app, [...needed, forBusinesses], forComments).join(',')
    const query = { client_id: app.clientId, redirect_uri: redirectUri, state, response_type: 'code', scope }
    return `${baseUrlOf(ctx, definition, 'auth')}/${definition.api.version}/dialog/oauth?${new URLSearchParams(query)}`
  },
  /** A code is exchanged for a short-lived token, that one for a long-lived one, and that one for a token for each page. */
  async connect(ctx, { code, redirectUri }) {
    const { clientId, clientSecret } = await readAppSecret(ctx, definition)
    const app = { client_id: clientId, client_secret: clientSecret }
    const ask = async (grant: Readonly<Record<string, string>>) => {
      const request = {
        host: 'token',
        path: `/${definition.api.version}/oauth/access_token`,
        send: { query: { ...app, ...grant } },
      } as const
      return (await requestToken(ctx, site, { ...request, reply: z.object({ access_token: z.string() }) })).access_token
    }
    const short = await ask({ redirect_uri: redirectUri, code: withoutCodeSuffix(code) })
    const long = await ask({ grant_type: 'fb_exchange_token', fb_exchange_token: short })
    const granted = await readGranted(ctx, long)
    assertScopes(definition.name, needed, granted.join(','))
    const pages = await fetchPages(ctx, long, granted.includes(forBusinesses))
    const { id } = await callGraph(ctx, site, { token: long, path: '/me', query: { fields: 'id' }, reply: Person })
    if (pages.length > 0) return pages.map((page) => connectionOf(page, id))
    const text = 'Facebook shared no Page that you can post to. Connect again and select at least one.'
    throw new PlatformError('invalid', text)
  },
  /** Removes the app from the person's settings, with a token of the app (Graph API, User Permissions, v25.0). */
  async revokeSharedGrant(ctx, { details }) {
    const { clientId, clientSecret } = await readAppSecret(ctx, definition)
    const request = { path: '/{person}/permissions', params: { person: String(details['person']) }, reply: z.unknown() }
    await callGraph(ctx, site, { ...request, method: 'DELETE', token: `${clientId}|${clientSecret}` })
  },
}
