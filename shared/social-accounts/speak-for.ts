import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import type { ConnectedAccount } from '../platforms/account.ts'
import { credentialLifecycleOf } from '../platforms/connectors.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { freshCredentials } from './credentials.ts'
import { loseConnection } from './lose-connection.ts'
import { platformErrors, refusalOf } from './refuse-platform.ts'
import type { SocialAccount } from './social-account.ts'

/** What a route throws that speaks to a platform for an account. */
export const speakErrors = ['account_not_found', 'account_access_revoked', ...platformErrors] as const

/** Lets a request speak to a platform for an account; a refused token is refreshed once before the connection counts as lost. */
export const speakFor = async <T>(
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

export const isLost = ({ errorClass, facts }: PlatformError): boolean => errorClass === 'auth' && !facts.operator

/** What the caller hears when a platform did not do what it was asked for an account; a lost connection is told once. */
export const refuseFor = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  error: unknown,
): Promise<never> => {
  if (!(error instanceof PlatformError)) throw error
  if (!isLost(error)) throw refusalOf(ctx, error)
  await loseConnection(ctx, workspace, account, error)
  throw new Refusal('missing', error.message, { code: 'account_access_revoked', field: 'socialAccountId' })
}
