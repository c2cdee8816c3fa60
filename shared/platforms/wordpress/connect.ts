import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import { parseOrRefuse } from '../../http/parse-input.ts'
import type { Connection } from '../account.ts'
import type { ReadLogin } from '../connector.ts'
import { nameAt } from '../edge.ts'
import { sendRequest } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { assertServer } from '../server.ts'
import { callSite, guardOf, siteOrigin, type WordPressSite } from './api.ts'
import { definition } from './definition.ts'
import { classifyWordPressError } from './errors.ts'
import { WordPressLogin } from './login.ts'

/** What an index says; without any way to sign in, PHP writes an empty list. */
const Index = z.object({
  namespaces: z.array(z.string()),
  authentication: z.catch(z.record(z.string(), z.unknown()), {}),
})

/** Pages of a site that people mistake for its address. */
const innerPage = /\/(?:wp-admin|wp-json|wp-login\.php|index\.php)(?:\/.*)?$/

/** The address of a site as people type it, without login paths: `https://bakery.example/blog`. */
const siteAddress = (ctx: Context, text: string): string => {
  const sent = text.trim()
  const address = sent.includes('://') ? sent : `https://${sent}`
  const origin = assertServer(ctx, address, 'site')
  return `${origin}${new URL(address).pathname.replace(innerPage, '').replace(/\/+$/, '')}`
}

const movedTo = (location: string | undefined, address: string): PlatformError | undefined => {
  const target = location === undefined ? null : URL.parse(location, address)
  if (target === null || target.origin === new URL(address).origin) return undefined
  return new PlatformError('invalid', `The site has moved to ${target.origin}. Enter that address.`)
}

const redirects = [301, 302, 303, 307, 308]
/** The response of a site that has no API there. */
const misses = [400, 401, 403, 404, 405, 406, 410]

const indexAt = async (ctx: Context, { address, root }: WordPressSite) => {
  const path = root.replace(/\?.*$/, '')
  const { status, headers, body } = await sendRequest(ctx, {
    platform: definition,
    method: 'GET',
    base: siteOrigin(ctx, { address }),
    path: path === root ? `${path}/` : path,
    ...(path === root ? {} : { query: { rest_route: '/' } }),
    // Without `_fields` an index has every route of the site.
    maxBytes: 4 * 1024 * 1024,
    accepts: [...redirects, ...misses],
    guard: guardOf(ctx),
    classifyError: classifyWordPressError,
  })
  const moved = redirects.includes(status) ? movedTo(headers['location'], address) : undefined
  if (moved !== undefined) throw moved
  const index = z.safeParse(Index, body)
  return status === 200 && index.success && index.data.namespaces.includes('wp/v2') ? index.data : undefined
}

/** Where the API of a site begins: each site responds at the second address, with permalinks also at the first. */
const findSite = async (ctx: Context, address: string): Promise<WordPressSite> => {
  const { host, pathname } = new URL(address)
  const home = pathname.replace(/\/$/, '')
  for (const root of [`${home}/wp-json`, `${home}/?rest_route=`]) {
    const index = await indexAt(ctx, { address, root })
    if (index === undefined) continue
    if (Object.hasOwn(index.authentication, 'application-passwords')) return { address, root }
    const text = `${host} does not take application passwords. Its administrator or a plugin has switched them off, or it has no https.`
    throw new PlatformError('invalid', text)
  }
  const text = `${host} does not answer as WordPress does. Check the address of the site.`
  throw new PlatformError('invalid', text)
}

const Me = z.object({
  id: z.int(),
  username: z.string(),
  name: z._default(z.string(), ''),
  capabilities: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
  avatar_urls: z.catch(z.optional(z.record(z.string(), z.string())), undefined),
})

const wrongPassword = () => {
  const text = 'WordPress rejected this username and application password. Check both.'
  return new Refusal('invalid', text, { code: 'invalid_app_password', field: 'applicationPassword' })
}

/** Signs in and returns the user that was reached. */
export const connect = async (ctx: Context, login: WordPressLogin): Promise<Connection> => {
  const site = await findSite(ctx, siteAddress(ctx, login.site))
  // WordPress shows a password in groups, with spaces that are not part of it.
  const applicationPassword = login.applicationPassword.replace(/\s+/g, '')
  const credentials = { username: login.username.trim(), applicationPassword }
  const query = { context: 'edit', _fields: 'id,username,name,capabilities,avatar_urls' }
  const request = { path: '/wp/v2/users/me', query, credentials, reply: Me }
  const me = await callSite(ctx, site, request).catch((error: unknown) => {
    throw error instanceof PlatformError && error.errorClass === 'auth' ? wrongPassword() : error
  })
  if (me.capabilities !== undefined && me.capabilities['publish_posts'] !== true) {
    const text = `WordPress user ${me.username} may not publish posts. Give the user the role Author or Editor.`
    throw new PlatformError('permission', text)
  }
  const { host, pathname } = new URL(site.address)
  const siteName = `${host}${pathname.replace(/\/$/, '')}`
  return {
    platform: definition.id,
    providerName: definition.name,
    // The ids of two sites can be the same.
    externalId: `${me.id}@${siteName}`,
    username: nameAt(me.username, siteName),
    displayName: me.name || me.username,
    profileImageUrl: Object.values(me.avatar_urls ?? {}).at(-1) ?? null,
    credentials,
    details: { site: site.address, root: site.root },
  }
}

/** The login in a submitted form; throws 400 if a field is missing. */
export const readLogin: ReadLogin = ({ site, username, applicationPassword }) => {
  const login = parseOrRefuse(WordPressLogin, { site, username, applicationPassword }, 'form')
  return (ctx) => connect(ctx, login)
}
