import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseOf } from '../bases.ts'
import type { Connection } from '../connection.ts'
import type { Connector } from '../connector.ts'
import { callGraph } from '../graph/call.ts'
import { askTokenDoor, bareCode } from '../graph/login.ts'
import { graphVersion } from '../graph/site.ts'
import { demandScopes } from '../oauth.ts'
import { PlatformError } from '../platform.ts'
import { card } from './card.ts'
import { fetchPages, type UsablePage } from './pages.ts'
import { site } from './site.ts'

const needed = ['pages_show_list', 'pages_manage_posts', 'pages_read_engagement']
/** Shows the pages that somebody has through a business; pages without one need it not. */
const forBusinesses = 'business_management'

const Permissions = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })

const readGranted = async (ctx: Context, token: string): Promise<string[]> => {
  const { data } = await callGraph(ctx, site, { token, path: '/me/permissions', reply: Permissions })
  return data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
}

const connectionOf = (page: UsablePage): Connection => ({
  platform: card.id,
  providerName: card.name,
  externalId: page.id,
  username: page.username ?? null,
  displayName: page.name,
  profileImageUrl: page.picture?.data.url ?? null,
  // Taken with a token of sixty days, a page's own token has no end (platforms-a, 6.1).
  credentials: { accessToken: page.access_token },
  details: {},
})

/** Somebody who looks after pages lets the service in, and chooses among them. */
export const facebook: Connector = {
  async authorizeUrl(ctx, { state, redirectUri }) {
    const { clientId } = await readAppSecret(ctx, card)
    const scope = [...needed, forBusinesses].join(',')
    const query = { client_id: clientId, redirect_uri: redirectUri, state, response_type: 'code', scope }
    return `${baseOf(ctx, 'facebook', 'auth')}/${graphVersion}/dialog/oauth?${new URLSearchParams(query)}`
  },
  /** A code becomes a short token, that one a long one, and the long one a token for each page. */
  async connect(ctx, { code, redirectUri }) {
    const { clientId, clientSecret } = await readAppSecret(ctx, card)
    const app = { client_id: clientId, client_secret: clientSecret }
    const ask = async (grant: Readonly<Record<string, string>>) => {
      const request = {
        door: 'token',
        path: `/${graphVersion}/oauth/access_token`,
        send: { query: { ...app, ...grant } },
      } as const
      return (await askTokenDoor(ctx, site, { ...request, reply: z.object({ access_token: z.string() }) })).access_token
    }
    const short = await ask({ redirect_uri: redirectUri, code: bareCode(code) })
    const long = await ask({ grant_type: 'fb_exchange_token', fb_exchange_token: short })
    const granted = await readGranted(ctx, long)
    demandScopes(card.name, needed, granted.join(','))
    const pages = await fetchPages(ctx, long, granted.includes(forBusinesses))
    if (pages.length > 0) return pages.map(connectionOf)
    const text = 'You look after no Facebook page that you may post to, or have not opened one to this service.'
    throw new PlatformError('invalid', text)
  },
}
