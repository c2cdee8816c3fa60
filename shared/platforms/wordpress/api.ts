import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allowedOrigins } from '../../net/address.ts'
import type { ConnectedAccount, Credentials } from '../account.ts'
import { originOf } from '../base-urls.ts'
import { type RequestBody, requestJson } from '../http.ts'
import { classified, commonErrors } from '../platform-error.ts'
import { definition } from './definition.ts'
import { classifyWordPressError } from './errors.ts'

/** Lists, and what plugins add to them. */
const maxBytes = 4 * 1024 * 1024

/** A site, with its path if it has one, and where its API begins: `/wp-json`, or an address with `?rest_route=`. */
export interface WordPressSite {
  address: string
  root: string
}

interface WordPressCall<T> {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: RequestBody
  /** The call that makes the post public. */
  creates?: boolean
  totalMs?: number
  accepts?: readonly number[]
  reply: z.ZodMiniType<T>
}

/** The address of a call at the site. */
export const siteOrigin = (ctx: Context, { address }: Pick<WordPressSite, 'address'>): string =>
  originOf(ctx, definition.id) ?? new URL(address).origin

/** The guard of every call: people name the sites. */
export const guardOf = (ctx: Context) => ({ allowedOrigins: allowedOrigins(ctx) })

const byQuery = '?rest_route='

/** Sites without permalinks take the route of the API as a parameter (REST API Handbook, Routes and Endpoints). */
const located = (
  root: string,
  { path, params = {}, query = {} }: Pick<WordPressCall<unknown>, 'path' | 'params' | 'query'>,
) => {
  if (!root.endsWith(byQuery)) return { path: `${root}${path}`, params, query }
  const route = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return { path: root.slice(0, -byQuery.length), query: { rest_route: route, ...query } }
}

const Password = z.object({ username: z.string(), applicationPassword: z.string() })

/** What proves a user to a site in each call (RFC 7617). */
const basic = (credentials: Credentials): string => {
  const proof = z.safeParse(Password, credentials)
  if (!proof.success) throw classified(definition.name, commonErrors.accessRevoked)
  const { username, applicationPassword } = proof.data
  return `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString('base64')}`
}

/** One call to a site, for a user or anonymous. Redirects are not followed: they would send the password elsewhere. */
export const callSite = <T>(
  ctx: Context,
  site: WordPressSite,
  { method = 'GET', path, params, query, credentials, ...request }: WordPressCall<T> & { credentials?: Credentials },
): Promise<T> =>
  requestJson(ctx, {
    ...request,
    ...located(site.root, { path, ...(params ? { params } : {}), ...(query ? { query } : {}) }),
    platform: definition,
    method,
    base: siteOrigin(ctx, site),
    headers: credentials === undefined ? {} : { authorization: basic(credentials) },
    maxBytes,
    guard: guardOf(ctx),
    classifyError: classifyWordPressError,
  })

/** One call for an account, to its site. */
export const callWordPress = <T>(
  ctx: Context,
  { details, credentials }: ConnectedAccount,
  call: WordPressCall<T>,
): Promise<T> =>
  callSite(ctx, { address: String(details['site']), root: String(details['root']) }, { ...call, credentials })
