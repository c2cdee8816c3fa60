import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { type browserPlatforms, connectorOf } from '../platforms/connectors.ts'
import { logSecurity } from '../security-log.ts'
import { openState } from './oauth-state.ts'
import { askPlatform } from './refuse-platform.ts'

type BrowserPlatform = (typeof browserPlatforms)[number]

/** Where a platform sends people back to; registered with the operator's app, so it never changes. */
export const redirectUri = (ctx: Context, platform: BrowserPlatform): string =>
  `${ctx.env('BASE_URL')}/api/social-accounts/connect/${platform}/callback`

/** The address at which a person lets the service in; it works once, for ten minutes. */
export const beginConnect = async (
  ctx: Context,
  of: { userId: string; workspaceId: string; platform: BrowserPlatform },
): Promise<string> => {
  const { state, verifier } = await openState(ctx, of)
  logSecurity(ctx, 'connection_started', { platform: of.platform })
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const departure = { state, challenge, redirectUri: redirectUri(ctx, of.platform) }
  return askPlatform(ctx, () => connectorOf(of.platform).authorizeUrl(ctx, departure))
}
