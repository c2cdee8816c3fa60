import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { notSwept } from '../db/sweep-at.ts'
import { transact } from '../db/table.ts'
import { eventIdAt } from '../events/cursor.ts'
import { makeEvent } from '../events/event.ts'
import { recordEvents } from '../events/outbox.ts'
import type { LossFacts } from '../events/payloads.ts'
import { ulid } from '../ids.ts'
import type { PlatformError } from '../platforms/platform-error.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
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
  const now = ctx.clock.now()
  const outboxId = ulid(now)
  const losses = account.losses + 1
  const data: LossFacts = {
    socialAccountId: account.id,
    platform: account.platform,
    username: account.username,
    reason: errorClass === 'permission' ? 'permission_missing' : 'credentials_refused',
    error: message,
  }
  const id = eventIdAt(outboxId, 0)
  const place = { id, sequence: losses, previousEventId: account.lastEventId }
  const event = makeEvent('social_account.reconnect_required', workspace, now, place, data)
  const row = {
    update: socialAccounts.key(account),
    change: { set: { needsReconnect: true, losses, lastEventId: id }, remove: notSwept },
    when: { is: 'allOf' as const, of: [equal('losses', account.losses), equal('needsReconnect', false)] },
  }
  const isNew = await wasCurrent(transact(ctx, () => [row, ...recordEvents(ctx, outboxId, workspace.id, [event])]))
  if (!isNew) return undefined
  const { id: socialAccountId, platform } = account
  logSecurity(ctx, 'connection_lost', { workspaceId: workspace.id, socialAccountId, platform })
  return outboxId
}
