import { commitWithEvents } from '../commit/commit-with-events.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { allOf, equal } from '../db/expression.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { accountData, accountEvent, countEvent } from './account-event.ts'
import type { scheduleRenewal } from './schedule-renewal.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

interface AccessEnd {
  endsAtMs: number
  /** The check after the report. */
  next: ReturnType<typeof scheduleRenewal>
}

/** Reports with exactly one `social_account.access_ending` for each connection that its access ends. */
export const reportAccessEnd = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  { endsAtMs, next: { set, remove } }: AccessEnd,
): Promise<void> => {
  const data = { ...accountData(account), accessEndsAt: new Date(endsAtMs).toISOString() }
  const written = commitWithEvents(ctx, workspace, (eventId) => ({
    writes: [
      {
        update: socialAccounts.key(account),
        change: { set: { ...set, ...countEvent(account, eventId(0)), accessEndReported: true }, remove },
        // A refresh or another connection has set another check.
        when: allOf(equal('eventCount', account.eventCount), equal('credentialsVersion', account.credentialsVersion)),
      },
    ],
    events: [accountEvent('social_account.access_ending', account, data)],
  }))
  await wasCurrent(written)
}
