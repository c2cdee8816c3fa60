import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import type { ConnectedAccount } from '../platforms/account.ts'
import { credentialLifecycleOf } from '../platforms/connectors.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { platformRefusalCodes, refusalOf } from './platform-refusal.ts'
import { freshCredentials } from './refresh-credentials.ts'
import { requireReconnect } from './require-reconnect.ts'
import type { SocialAccount } from './social-account.ts'

/** What a route throws that speaks to a platform for an account. */
export const platformCallErrors = ['account_not_found', 'account_access_revoked', ...platformRefusalCodes] as const

/** Lets a request speak to a platform for an account; a refused token is refreshed once before the connection counts as lost. */
export const withFreshCredentials = async <T>(
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  say: (account: ConnectedAccount) => Promise<T>,
): Promise<T> => {
  const attempt = async (refresh: boolean) =>
    say({ ...account, credentials: await freshCredentials(ctx, workspace, account, refresh) })
  try {
    return await attempt(false)
  } catch (error) {
    const refreshable = credentialLifecycleOf(account.platform).refresh !== undefined
    if (!refreshable || !(error instanceof PlatformError) || error.errorClass !== 'auth') throw error
    return attempt(true)
  }
}

export const isAccessRevoked = ({ errorClass, facts }: PlatformError): boolean =>
  errorClass === 'auth' && !facts.operator

/** What the caller hears when a platform did not do what it was asked for an account; a lost connection is told once. */
export const throwRefusal = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  error: unknown,
): Promise<never> => {
  if (!(error instanceof PlatformError)) throw error
  if (!isAccessRevoked(error)) throw refusalOf(ctx, error)
  await requireReconnect(ctx, workspace, account, error)
  throw new Refusal('missing', error.message, { code: 'account_access_revoked', field: 'socialAccountId' })
}
