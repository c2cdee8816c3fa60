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
 * Stores a connection in one write, behind that of an authorization it shares: a new account, or the same one again
 * with its id, its history and its posts. The version rises, so that a refresh which is under way cannot put the old
 * credentials back.
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
    // When they must be renewed is for a worker to say, who knows the platforms by heart.
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
