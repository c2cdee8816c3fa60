import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { assertOpen } from '../platforms/api-end.ts'
import { connectorOf } from '../platforms/connectors.ts'
import { type BrowserPlatform, definitionOf } from '../platforms/definitions.ts'
import { type ConnectIntent, type CreatedLink, createLink, createState, type NewLink } from './oauth-state.ts'
import { withinLogins } from './open-logins.ts'
import { orRefusal } from './platform-refusal.ts'

type BrowserIntent = ConnectIntent & { platform: BrowserPlatform }

/** The server of a login: a platform, and the host of the server that the person named, as URLs write it. */
export interface LoginServer {
  platform: BrowserPlatform
  host?: string | undefined
}

/**
 * The redirect URI of a platform, or of one server of it; registered with the app there, so it never changes. No two servers
 * share one, so that a server cannot redirect people to another one and be mistaken for it (RFC 9700, 4.4.2).
 */
export const redirectUri = (ctx: Context, { platform, host }: LoginServer): string => {
  const shared = `${ctx.env('BASE_URL')}/api/social-accounts/connect/${platform}/callback`
  // Only the brackets of an IPv6 address need an escape in a path (RFC 3986, 3.3).
  return host === undefined ? shared : `${shared}/${host.replace(/[[\]]/g, encodeURIComponent)}`
}

const redirectUriOf = (ctx: Context, { platform, server }: BrowserIntent): string =>
  redirectUri(ctx, { platform, host: server && new URL(server).host })

/** The URL of the platform's login page for a given state. */
const addressAt = (ctx: Context, of: BrowserIntent, state: string, codeVerifier: string): Promise<string> => {
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const authorization = { state, codeChallenge, redirectUri: redirectUriOf(ctx, of), server: of.server }
  return orRefusal(ctx, async () => {
    assertOpen(ctx, definitionOf(of.platform))
    const ask = async () => connectorOf(of.platform).authorizationUrl(ctx, authorization)
    return of.server === undefined ? ask() : withinLogins(ctx, ask)
  })
}

/** Verifies that the platform, or the named server, has an app for the login. */
export const assertConnectable = async (ctx: Context, of: BrowserIntent): Promise<void> => {
  await addressAt(ctx, of, 'none', 'none')
}

/** Creates the link with which a person connects an account in any browser. */
export const createConnectLink = async (
  ctx: Context,
  of: BrowserIntent & Pick<NewLink, 'expiresInSeconds'>,
): Promise<CreatedLink> => {
  const { name, server } = definitionOf(of.platform)
  // A platform without the operator's app is rejected here, before anyone opens the link. A server may be named later, on
  // its page.
  if (server === undefined || of.server !== undefined) await assertConnectable(ctx, of)
  return createLink(ctx, { ...of, providerName: name })
}

/** The authorization URL for this browser; its state works once, for ten minutes. */
export const authorizationUrlFor = async (ctx: Context, of: BrowserIntent, browser: string): Promise<string> => {
  const { state, codeVerifier } = await createState(ctx, { ...of, redirectUri: redirectUriOf(ctx, of) }, browser)
  return addressAt(ctx, of, state, codeVerifier)
}
