import type { Context, Effect } from '../../shared/context.ts'
import { equal } from '../../shared/db/expression.ts'
import { queryAll, transact, update } from '../../shared/db/table.ts'
import { outbox } from '../../shared/events/outbox.ts'
import { jobs } from '../../shared/media/job.ts'
import type { Connection } from '../../shared/platforms/account.ts'
import { connectAccount } from '../../shared/social-accounts/connect.ts'
import { type ShownAccount, socialAccounts } from '../../shared/social-accounts/social-account.ts'
import type { Workspace } from '../../shared/workspaces/workspace.ts'
import { tester } from './tester.ts'

/** The same context, whose messages get lost. */
const withoutQueues = (ctx: Context): Context => ({
  ...ctx,
  observe: async <T>(effect: Effect, run: () => Promise<T>) =>
    effect.service === 'sqs' ? ({ Failed: [] } as T) : ctx.observe(effect, run),
})

/** Connects an account as if long before: no queue, no event log, no count, and no copy of its picture knows of it. */
export const connectedBefore = async (
  ctx: Context,
  workspace: Workspace,
  connection: Connection,
): Promise<ShownAccount> => {
  const account = await connectAccount(withoutQueues(ctx), workspace, connection, { by: tester })
  const row = await socialAccounts.get(ctx, account)
  const { PK } = outbox.key({ workspaceId: workspace.id, id: '' })
  const rows = (await queryAll(ctx, { key: equal('PK', PK) })).map(outbox.parse)
  const own = rows.filter(({ events }) => events.some(({ id }) => id === row?.lastEventId))
  await transact(ctx, () => [...own.map((row) => ({ delete: outbox.key(row) })), { delete: jobs.key(account) }])
  await update(ctx, socialAccounts.key(account), { set: { eventCount: 0 }, remove: ['lastEventId'] })
  return account
}
