import type { Context } from '../context.ts'
import { update } from '../db/table.ts'
import type { Connection } from '../platforms/connection.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { encryptCredentials } from './encrypt-credentials.ts'
import { nextRenewalCheck } from './schedule-renewal.ts'
import { addGrantHolder } from './shared-grant.ts'
import { accountId, type SocialAccount, socialAccounts } from './social-account.ts'

/**
 * Stores a connection in one write, after that of a shared authorization: a new account, or the same one again with its
 * id, history, and posts. The version increases, so that a running refresh cannot overwrite the new credentials.
 */
export const connectAccount = async (
  ctx: Context,
  workspace: Workspace,
  connection: Connection,
  userId?: string,
): Promise<SocialAccount> => {
  const { credentials, sharedGrant, ...shown } = connection
  const key = { workspaceId: workspace.id, id: accountId(workspace.id, connection.platform, connection.externalId) }
  const sealed = await encryptCredentials(ctx, workspace, key, credentials)
  if (sharedGrant !== undefined) await addGrantHolder(ctx, { ...key, platform: connection.platform, sharedGrant })
  const now = ctx.clock.now()
  const state = { type: 'SocialAccount', isConnected: true, needsReconnect: false, credentials: sealed }
  const row = await update(ctx, socialAccounts.key(key), {
    // A worker that loads the platform adapters decides when to renew them.
    set: {
      ...key,
      ...shown,
      ...(sharedGrant === undefined ? {} : { sharedGrant }),
      ...state,
      ...nextRenewalCheck(key.id, now),
    },
    setOnce: { losses: 0, createdAt: new Date(now).toISOString() },
    add: { credentialsVersion: 1 },
    remove: ['refreshLeaseUntilMs'],
  })
  const { platform } = connection
  logSecurity(ctx, 'connection_created', { userId, workspaceId: workspace.id, socialAccountId: key.id, platform })
  return socialAccounts.parse(row)
}
