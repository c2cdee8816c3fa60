import type { ActorByLink } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import type { Page } from '../pages/layout.ts'
import { connectorOf } from '../platforms/connectors.ts'
import { type BrowserPlatform, definitionOf } from '../platforms/definitions.ts'
import { connectionFrom } from '../platforms/edge.ts'
import { classified, commonErrors, PlatformError } from '../platforms/platform-error.ts'
import { logSecurity } from '../security-log.ts'
import { type LoginServer, redirectUri } from './authorization-link.ts'
import { createChoice } from './choice.ts'
import { choicePage, connectedPage, notConnectedPage } from './connect-pages.ts'
import { type ConnectIntent, consumeState, type Outcome, returnUrl } from './oauth-state.ts'
import { withinLogins } from './open-logins.ts'
import { refusalOf } from './platform-refusal.ts'
import {
  brandOf,
  expiredPage,
  noAccessPage,
  otherBrowserPage,
  storeConnections,
  workspaceOf,
} from './store-connections.ts'

/** The query parameters with which a platform redirects back. */
interface Return {
  state?: string | undefined
  code?: string | undefined
  error?: string | undefined
  iss?: string | undefined
}

/** The address of the app to which the person returns immediately: they saw its name before they pressed the button. */
export interface AppRedirect {
  away: string
}

const noState = { refused: 'unknown' } as const

const failed = (error: ErrorCode): Outcome => ({ status: 'failed', error })

/** Returns to the app that sent the person, or shows the page if there is none. */
const end = ({ platform, returnTo }: ConnectIntent, outcome: Outcome, page: Page): Page | AppRedirect =>
  returnTo === undefined ? page : { away: returnUrl(returnTo, platform, outcome) }

/** How a login ended without a code (RFC 6749, section 4.1.2.1); platforms have errors of their own for a refusal. */
const endedBy = (
  platform: BrowserPlatform,
  { code, error }: Pick<Return, 'code' | 'error'>,
): { outcome: Outcome; sentence: string } | undefined => {
  if (error === undefined && code) return undefined
  if (error === undefined || /denied|cancel/i.test(error)) {
    return { outcome: { status: 'cancelled' }, sentence: 'The login was canceled.' }
  }
  const isBusy = error === 'server_error' || error === 'temporarily_unavailable'
  const { name } = definitionOf(platform)
  return {
    outcome: failed(isBusy ? 'platform_unavailable' : 'platform_rejected'),
    sentence: `${name} did not complete the login (${error.slice(0, 100)}). Try again.`,
  }
}

/** Rejects a code that names another issuer than the server of the login (RFC 9207, 2.4). */
const assertIssuer = (platform: BrowserPlatform, server: string | undefined, iss: string | undefined): void => {
  if (server === undefined || iss === undefined || URL.parse(iss)?.origin === server) return
  throw classified(definitionOf(platform).name, commonErrors.loginRejected)
}

/**
 * Completes the login that the button of our page began, in the same browser (RFC 9700, 4.7): stores the account, or
 * asks the person to select accounts. The person returns to the app that sent them, or a page shows the result.
 */
export const handleCallback = async (
  ctx: Context,
  at: LoginServer,
  { state, code, error, iss }: Return,
  { browser, by }: { browser: string | undefined; by: ActorByLink },
): Promise<Page | AppRedirect> => {
  const { platform, host } = at
  const here = { platform, redirectUri: redirectUri(ctx, at), shared: host === undefined }
  const begun = state ? await consumeState(ctx, here, state, browser) : noState
  if ('refused' in begun) {
    if (begun.refused === 'expired') return end(begun.begun, failed('connect_link_expired'), expiredPage(ctx))
    if (begun.refused === 'unknown') return expiredPage(ctx)
    logSecurity(ctx, 'connection_refused', { platform })
    return otherBrowserPage(ctx)
  }
  const ended = endedBy(platform, { code, error })
  if (ended !== undefined) return end(begun, ended.outcome, notConnectedPage(ctx, ended.sentence))
  const workspace = await workspaceOf(ctx, begun)
  if (!workspace) return end(begun, failed('not_a_member'), noAccessPage(ctx, begun))
  try {
    const { codeVerifier, server } = begun
    assertIssuer(platform, server, iss)
    const callback = { code: code ?? '', codeVerifier, redirectUri: here.redirectUri, server }
    const connector = connectorOf(platform)
    const connect = () => connector.connect(ctx, callback)
    const granted = await (server === undefined ? connect() : withinLogins(ctx, connect))
    const connections = granted.map((connection) => ({
      ...connectionFrom(ctx, connection),
      accessEndsAtMs: connector.accessEndsAtMs?.(connection.credentials),
    }))
    if (connections.length === 1) {
      const { sentences, back } = await storeConnections(ctx, workspace, begun, { connections, by: by(begun) })
      return back === undefined ? connectedPage(ctx, workspace.id, sentences, undefined) : { away: back }
    }
    if (connections.length === 0) {
      const sentence = 'This login grants access to no account that can receive posts.'
      return end(begun, failed('no_account_granted'), notConnectedPage(ctx, sentence))
    }
    const brand = await brandOf(ctx, workspace)
    const ticket = await createChoice(ctx, workspace, begun, connections)
    return choicePage(`${ctx.env('BASE_URL')}/connect-accounts`, begun, { brand, connections }, { ticket })
  } catch (failure) {
    if (!(failure instanceof PlatformError)) throw failure
    return end(begun, failed(refusalOf(ctx, failure).details.code), notConnectedPage(ctx, failure.message))
  }
}
