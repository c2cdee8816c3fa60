import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { type Subscription, unsubscribed } from './subscription.ts'
import { type Workspace, workspaces } from './workspace.ts'

/** The subscription in the row of a child workspace: that of the workspace of its application decides. */
export const paidByApplication: Subscription = { status: 'active', planName: 'application', hasAccess: true }

/**
 * What the plan of an application gives a child: access. Its limits are those that the application sets, or the general
 * ones. Limits that cost money are shared with the payer: AI, uploads, storage, and posts to X.
 */
const ofApplication = ({ planId: _, ...subscription }: Subscription): Subscription => subscription

/**
 * Workspaces with the subscription that pays for them, and the quotas that apply. For a child, they come from the workspace
 * of its application, which is read: a plan that lapses there ends the access of all children immediately.
 */
export const withPlans = async (ctx: Context, all: readonly Workspace[]): Promise<Workspace[]> => {
  const payers = [...new Set(all.flatMap(({ application }) => application?.workspaceId ?? []))]
  if (payers.length === 0) return [...all]
  const rows = await batchGet(
    ctx,
    payers.map((id) => workspaces.key({ id })),
  )
  return all.map((workspace) => {
    const { application } = workspace
    if (application === undefined) return workspace
    const payer = workspaces.from(rows, { id: application.workspaceId })
    // Children do not nest. Children that an earlier release let a child create have no plan.
    if (payer === undefined || payer.application !== undefined) return { ...workspace, subscription: unsubscribed }
    return {
      ...workspace,
      subscription: ofApplication(payer.subscription),
      quotas: { ...payer.quotas, ...workspace.quotas },
      payer,
    }
  })
}

/** The same for one workspace. */
export const withPlan = async (ctx: Context, workspace: Workspace): Promise<Workspace> =>
  (await withPlans(ctx, [workspace]))[0] ?? workspace
