import * as z from 'zod/mini'
import { commitForSweeper } from '../commit/commit-for-sweeper.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import type { ConnectedAccount } from '../platforms/account.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { platformRefusalCodes, refusalOf } from './platform-refusal.ts'
import { refreshCredentials, retryAfterRefresh } from './refresh-credentials.ts'
import { requireReconnect } from './require-reconnect.ts'
import type { SocialAccount } from './social-account.ts'

/** The error codes of endpoints that call a platform for an account. */
export const platformCallErrors = ['account_not_found', 'account_access_revoked', ...platformRefusalCodes] as const

/** The account of a query about one platform. */
export const OneOfPlatform = described(
  z.optional(Id),
  'The ID of the account, `acc_…`. By default the one of this platform that was connected first.',
)

/** Calls a platform for an account with valid credentials; a rejected token is refreshed once. */
export const withFreshCredentials = <T>(
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  call: (account: ConnectedAccount) => Promise<T>,
): Promise<T> =>
  retryAfterRefresh(account.platform, async (refresh) =>
    call({ ...account, credentials: await refreshCredentials(ctx, workspace, account, refresh) }),
  )

export const isAccessRevoked = ({ errorClass, info }: PlatformError): boolean => errorClass === 'auth' && !info.operator

/** Throws the refusal for a platform error of an account; a lost connection is reported once. */
export const throwRefusal = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  error: unknown,
): Promise<never> => {
  if (!(error instanceof PlatformError)) throw error
  if (!isAccessRevoked(error)) throw refusalOf(ctx, error)
  await requireReconnect(ctx, workspace, account, { error, commit: commitForSweeper })
  throw new Refusal('missing', error.message, { code: 'account_access_revoked', field: 'socialAccountId' })
}
