import type { Context } from '../context.ts'
import { logSecurity } from '../security-log.ts'
import { type ConnectIntent, type ConnectLink, createLink } from './oauth-state.ts'

/** Creates a link to the page that connects an account, and returns its URL. */
export const createLinkAddress = async (
  ctx: Context,
  of: ConnectIntent & Pick<ConnectLink, 'providerName'>,
): Promise<string> => {
  const ticket = await createLink(ctx, of)
  logSecurity(ctx, 'connection_started', { platform: of.platform })
  return `${ctx.env('BASE_URL')}/connect-accounts?ticket=${ticket}`
}
