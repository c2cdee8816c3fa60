import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { countKeysOf, countsIn } from '../db/counters.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { shareMicros } from '../limits/bucket.ts'
import { momentIn } from '../limits/count.ts'
import { storageKeys, storedBytes } from '../media/storage.ts'
import { countMemories } from '../memory/quota.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { windowKey, workspaceWindowKeys } from './count.ts'
import { defaultQuotas, limitOfQuota, type QuotaName, quotaNames, type WindowQuota, windowOf } from './quotas.ts'

/** One quota as the API shows it. */
export const QuotaView = z
  .object({
    name: z.enum(quotaNames),
    per: z.enum(['workspace', 'person', 'recipient']),
    limit: z.int(),
    used: z.nullable(z.int()),
    remaining: z.nullable(z.int()),
    windowSeconds: z.optional(z.int()),
  })
  .register(z.globalRegistry, {
    id: 'Quota',
    examples: [{ name: 'drafts', per: 'workspace', limit: 10_000, used: 12, remaining: 9_988 }],
  })

/** The rows to read together with the authorization. */
export const quotaKeys = (workspaceId: string): Key[] => [
  ...countKeysOf(workspaceId, 'DRAFT'),
  ...storageKeys(workspaceId),
  ...workspaceWindowKeys(workspaceId),
]

/** How much of a quota over time is used up at this moment. */
const usedOfWindow = (ctx: Context, workspace: Workspace, found: BatchRows, name: WindowQuota): number => {
  const limit = windowOf(ctx, name, workspace.quotas)
  const nowMicros = ctx.clock.now() * 1000
  const fullAtMicros = momentIn(found.item(windowKey(name, workspace.id))) ?? nowMicros
  return Math.ceil(Math.max(0, fullAtMicros - nowMicros) / shareMicros(limit))
}

/** What a workspace uses of its quotas; `personal` has what the caller uses of theirs, where they may see it. */
export const viewQuotas = async (
  ctx: Context,
  workspace: Workspace,
  found: BatchRows,
  personal: Partial<Record<QuotaName, number>>,
): Promise<z.infer<typeof QuotaView>[]> => {
  const { id } = workspace
  const used: Partial<Record<QuotaName, number>> = {
    ...personal,
    drafts: Math.max(0, countsIn(found, id, 'DRAFT')('all')),
    storageBytes: storedBytes(found, id),
    memories: await countMemories(ctx, id),
    uploadMebibytes: usedOfWindow(ctx, workspace, found, 'uploadMebibytes'),
    invitations: usedOfWindow(ctx, workspace, found, 'invitations'),
  }
  return quotaNames.map((name) => {
    const limit = limitOfQuota(ctx, name, workspace.quotas)
    const isUsed = used[name] ?? null
    const remaining = isUsed === null ? null : Math.max(0, limit - isUsed)
    const { per, ...rest } = defaultQuotas[name]
    return {
      ...{ name, per, limit, used: isUsed, remaining },
      ...('windowSeconds' in rest ? { windowSeconds: rest.windowSeconds } : {}),
    }
  })
}
