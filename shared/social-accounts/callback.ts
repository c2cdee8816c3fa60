import type { Context } from '../context.ts'
import type { Page } from '../pages/layout.ts'
import { connectorOf } from '../platforms/connectors.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import { logSecurity } from '../security-log.ts'
import { type BrowserPlatform, redirectUri } from './authorization-link.ts'
import { createChoice } from './choice.ts'
import { choicePage, connectedPage, notConnectedPage } from './connect-pages.ts'
import { consumeState } from './oauth-state.ts'
import { expiredPage, noAccessPage, otherBrowserPage, storeConnections, workspaceOf } from './store-connections.ts'

/** The query parameters with which a platform redirects back. */
interface Return {
  state?: string | undefined
  code?: string | undefined
  error?: string | undefined
}

/**
 * Completes the login that the button of our page began, in the same browser (RFC 9700, 4.7): stores the account, or
 * asks the person to select accounts. The page shows the result.
 */
export const handleCallback = async (
  ctx: Context,
  platform: BrowserPlatform,
  { state, code, error }: Return,
  browser: string | undefined,
): Promise<Page> => {
  const begun = state ? await consumeState(ctx, platform, state, browser) : undefined
  if (begun === 'other-browser') {
    logSecurity(ctx, 'connection_refused', { platform })
    return otherBrowserPage
  }
  if (!begun) return expiredPage
  if (error !== undefined || !code) return notConnectedPage('The login was canceled.')
  const workspace = await workspaceOf(ctx, begun)
  if (!workspace) return noAccessPage
  try {
    const callback = { code, codeVerifier: begun.codeVerifier, redirectUri: redirectUri(ctx, platform) }
    const connections = await connectorOf(platform).connect(ctx, callback)
    if (connections.length === 1)
      return connectedPage(await storeConnections(ctx, workspace, connections, begun.userId))
    if (connections.length === 0)
      return notConnectedPage('This login grants access to no account that can receive posts.')
    const ticket = await createChoice(ctx, workspace, begun.userId, connections)
    return choicePage(`${ctx.env('BASE_URL')}/connect-accounts`, workspace, connections, ticket)
  } catch (failure) {
    if (!(failure instanceof PlatformError)) throw failure
    if (failure.facts.operator) ctx.log.error('operator action needed', { reason: failure.message })
    return notConnectedPage(failure.message)
  }
}
