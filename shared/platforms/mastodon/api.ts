import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allowedOrigins } from '../../net/address.ts'
import type { ConnectedAccount } from '../account.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { PlatformSite } from '../definition.ts'
import { type RequestBody, requestJson } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { definition } from './definition.ts'
import { classifyMastodonError } from './errors.ts'

/** The name of the app at each server: what posts show as their origin, and what a probe looks for. */
export const appName = 'Social Publishing'

/** A page of posts with all their fields. */
const maxBytes = 4 * 1024 * 1024

interface MastodonCall<T> {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: RequestBody
  /** The call that makes the post public. */
  creates?: boolean
  totalMs?: number
  reply: z.ZodMiniType<T>
}

/** One server, as a platform with its own hosts. */
export const siteOf = (server: string): PlatformSite => ({
  ...definition,
  hosts: { auth: server, token: server, api: server },
})

/** The guard of every call: people name the servers. */
export const guardOf = (ctx: Context) => ({ allowedOrigins: allowedOrigins(ctx) })

/** One call to a server, with a token or without. */
export const callServer = <T>(
  ctx: Context,
  server: string,
  { method = 'GET', headers, token, ...request }: MastodonCall<T> & { token?: string },
): Promise<T> =>
  requestJson(ctx, {
    ...request,
    platform: definition,
    method,
    base: baseUrlOf(ctx, siteOf(server), 'api'),
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    maxBytes,
    guard: guardOf(ctx),
    classifyError: classifyMastodonError,
  })

export const serverOf = ({ details }: Pick<ConnectedAccount, 'details'>): string => String(details['server'])

/** One call for an account, to its server. */
export const callMastodon = <T>(ctx: Context, account: ConnectedAccount, call: MastodonCall<T>): Promise<T> =>
  callServer(ctx, serverOf(account), { ...call, token: tokenOf(account) })
