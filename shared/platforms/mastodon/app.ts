import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { AppSecret } from '../app-secret.ts'
import { requestTokens, type TokenEndpoint, Tokens } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { readServerApp, type ServerAppKey, storeServerApp } from '../server-app.ts'
import { appName, callServer, guardOf, siteOf } from './api.ts'
import { definition } from './definition.ts'

/** Identity, publishing with media, and the account's posts, to find one whose response was lost. */
export const scopes = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']
/** The scopes that servers without the finer scopes know, such as Pixelfed. */
const wideScopes = ['read', 'write']

/** The token endpoint of a server, and the app there. */
export const tokensAt = (ctx: Context, server: string, app: AppSecret): TokenEndpoint => ({
  platform: siteOf(server),
  path: '/oauth/token',
  clientAuthentication: 'form',
  app,
  guard: guardOf(ctx),
})

const Metadata = z.object({ scopes_supported: z.array(z.string()) })

/** The finer scopes, unless a server declares that it does not know them (RFC 8414; in Mastodon since 4.3). */
const scopesAt = async (ctx: Context, server: string): Promise<string> => {
  const path = '/.well-known/oauth-authorization-server'
  const known = await callServer(ctx, server, { path, reply: Metadata }).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined
    throw error
  })
  const isFine = known === undefined || scopes.every((scope) => known.scopes_supported.includes(scope))
  return (isFine ? scopes : wideScopes).join(' ')
}

const Registered = z.object({ client_id: z.string(), client_secret: z.string() })

/** A page instead of an app, nothing under this path, or another error: it is another kind of server. */
const isOther = ({ info }: PlatformError): boolean => (info.httpStatus ?? 500) < 429

const notMastodon = ({ info: { httpStatus = 0, detail = '' } }: PlatformError, server: string) => {
  const text = `${new URL(server).host} did not register an app, as servers with Mastodon's API do. Check the name of the server.`
  return new PlatformError('invalid', text, { httpStatus, detail })
}

/** Registers the app of the service at a server (Mastodon API, apps, Create an application). */
const register = async (ctx: Context, { server, redirectUri }: ServerAppKey): Promise<AppSecret> => {
  const granted = await scopesAt(ctx, server)
  const form = { client_name: appName, redirect_uris: redirectUri, scopes: granted, website: ctx.env('BASE_URL') }
  const registration = { method: 'POST', path: '/api/v1/apps', body: { form }, reply: Registered } as const
  const app = await callServer(ctx, server, registration).catch((error: unknown) => {
    throw error instanceof PlatformError && isOther(error) ? notMastodon(error, server) : error
  })
  return { clientId: app.client_id, clientSecret: app.client_secret, scopes: granted }
}

/**
 * Whether a server has forgotten an app: Mastodon before 4.3 removes apps without tokens, so the service requests a token of
 * the app itself (Mastodon API, apps, Create an application). Any other response proves nothing.
 */
const isForgotten = async (ctx: Context, server: string, app: AppSecret): Promise<boolean> => {
  const [scope = ''] = (app.scopes ?? '').split(' ')
  try {
    await requestTokens(ctx, tokensAt(ctx, server, app), { grant_type: 'client_credentials', scope }, Tokens)
    return false
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return isClientRefused(error)
  }
}

/** The server does not know the app. */
export const isClientRefused = ({ info }: PlatformError): boolean => info.code === 'invalid_client'

export const appKeyOf = (server: string, redirectUri: string): ServerAppKey => ({
  platform: definition.id,
  server,
  redirectUri,
})

/** The app of the service at a server; it is registered at its first use, and again if the server has forgotten it. */
export const ensureApp = async (ctx: Context, key: ServerAppKey): Promise<AppSecret> => {
  const stored = await readServerApp(ctx, key)
  if (stored !== undefined && !(await isForgotten(ctx, key.server, stored))) return stored
  return storeServerApp(ctx, key, await register(ctx, key), stored)
}
