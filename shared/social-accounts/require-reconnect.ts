import { systemActor } from '../audit/actor.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { notSwept } from '../db/sweep-at.ts'
import { transact } from '../db/table.ts'
import type { PlatformError } from '../platforms/platform-error.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { accountEvent, accountFacts } from './account-event.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

/**
 * Marks an account as needing a reconnect, with exactly one `social_account.reconnect_required` for each loss. Returns
 * the outbox row to relay, or undefined if the loss was already known.
 */
export const requireReconnect = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  { errorClass, message }: Pick<PlatformError, 'errorClass' | 'message'>,
): Promise<string | undefined> => {
  const { id: socialAccountId, platform, username } = account
  const facts = {
    ...accountFacts(account),
    reason: errorClass === 'permission' ? ('permission_missing' as const) : ('credentials_refused' as const),
    error: message,
  }
  const event = accountEvent(ctx, workspace, account, 'social_account.reconnect_required', facts)
  const row = {
    update: socialAccounts.key(account),
    change: { set: { needsReconnect: true, ...event.count }, remove: notSwept },
    when: { is: 'allOf' as const, of: [equal('eventCount', account.eventCount), equal('needsReconnect', false)] },
  }
  const entry = recordAudit(ctx, systemActor('platform'), {
    workspaceId: workspace.id,
    action: 'social_account.connection_lost',
    target: { type: 'social_account', id: socialAccountId },
    after: { platform, username, reason: facts.reason },
  })
  const isNew = await wasCurrent(transact(ctx, () => [row, entry, ...event.writes]))
  if (!isNew) return undefined
  logSecurity(ctx, 'connection_lost', { workspaceId: workspace.id, socialAccountId, platform })
  return event.outboxId
}
