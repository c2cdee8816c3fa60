import { systemActor } from '../audit/actor.ts'
import type { commitWithEvents } from '../commit/commit-with-events.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { allOf, equal } from '../db/expression.ts'
import { notSwept } from '../db/sweep-at.ts'
import type { PlatformError } from '../platforms/platform-error.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { accountData, accountEvent, countEvent } from './account-event.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

interface Loss {
  error: Pick<PlatformError, 'errorClass' | 'message'>
  /** `commitWithEvents`, or `commitForSweeper` in a function that sends no messages. */
  commit: (...of: Parameters<typeof commitWithEvents>) => Promise<unknown>
}

/** Marks an account as needing a reconnect, with exactly one `social_account.reconnect_required` for each loss. */
export const requireReconnect = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  { error: { errorClass, message }, commit }: Loss,
): Promise<void> => {
  const { id: socialAccountId, platform, username } = account
  const reason = errorClass === 'permission' ? 'permission_missing' : 'credentials_refused'
  const data = { ...accountData(account), reason, error: message } as const
  const written = commit(ctx, workspace, (eventId) => ({
    writes: [
      {
        update: socialAccounts.key(account),
        change: {
          set: { needsReconnect: true, ...countEvent(account, eventId(0)) },
          remove: ['accessEndsAt', ...notSwept],
        },
        when: allOf(equal('eventCount', account.eventCount), equal('needsReconnect', false)),
      },
    ],
    events: [accountEvent('social_account.reconnect_required', account, data)],
    audit: {
      by: systemActor('platform'),
      action: 'social_account.connection_lost',
      target: { type: 'social_account', id: socialAccountId },
      after: { platform, username, reason },
    },
  }))
  if (!(await wasCurrent(written))) return
  logSecurity(ctx, 'connection_lost', { workspaceId: workspace.id, socialAccountId, platform })
}
