import type { Context } from '../context.ts'
import { countKeysOf, countsIn } from '../db/counters.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { liveSessionsOf } from '../identity/list-sessions.ts'
import type { Session } from '../identity/session.ts'
import { countTokens } from '../identity/token-quota.ts'
import { storageKeys, storedBytes } from '../media/storage.ts'
import { countMemories } from '../memory/quota.ts'
import { workspaceWindowKeys } from '../quotas/count.ts'
import type { QuotaName } from '../quotas/quotas.ts'
import { usedOfWindows } from '../quotas/view.ts'
import { applications } from '../workspaces/application-row.ts'
import { countOwned } from '../workspaces/list.ts'
import type { Workspace } from '../workspaces/workspace.ts'

type Used = Partial<Record<QuotaName, number>>

/** The rows to read together with the authorization. */
export const usageKeys = (workspaceId: string): Key[] => [
  ...countKeysOf(workspaceId, 'DRAFT'),
  ...storageKeys(workspaceId),
  ...workspaceWindowKeys(workspaceId),
  applications.key({ workspaceId }),
]

/** How much of its quotas a workspace uses. */
export const workspaceUsage = async (ctx: Context, workspace: Workspace, rows: BatchRows): Promise<Used> => ({
  drafts: Math.max(0, countsIn(rows, workspace.id, 'DRAFT')('all')),
  storageBytes: storedBytes(rows, workspace.id),
  childWorkspaces: applications.from(rows, { workspaceId: workspace.id })?.workspaceCount ?? 0,
  memories: await countMemories(ctx, workspace.id),
  ...usedOfWindows(ctx, workspace, rows),
})

/** How much of the per-person quotas a person uses. */
export const personalUsage = async (ctx: Context, { userId, generation }: Session): Promise<Used> => {
  const [ownedWorkspaces, accessTokens, sessions] = await Promise.all([
    countOwned(ctx, userId),
    countTokens(ctx, userId),
    liveSessionsOf(ctx, userId, generation),
  ])
  return { ownedWorkspaces, accessTokens, sessions: sessions.length }
}
