import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { BatchRows } from '../db/table.ts'
import { described } from '../http/described.ts'
import { momentIn, shareMicros } from '../limits/count.ts'
import { type WithQuotas, windowKey, workspaceWindows } from './count.ts'
import { defaultQuotas, limitOfQuota, type QuotaName, quotaNames, type WindowQuota, windowOf } from './quotas.ts'

/** One quota as the API shows it. */
export const QuotaView = z
  .object({
    name: described(z.enum(quotaNames), 'What is limited.'),
    per: described(z.enum(['workspace', 'person', 'recipient']), 'Whom the quota is counted for.'),
    limit: described(z.int(), 'The most that can exist, or happen in `windowSeconds`.'),
    used: described(z.nullable(z.int()), 'What is used now; null where it is not shown.'),
    remaining: described(z.nullable(z.int()), 'What is left; null where it is not shown.'),
    windowSeconds: described(
      z.optional(z.int()),
      'Seconds until a used-up quota is full again. Absent for quotas that count what exists.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'Quota',
    description: 'A limit, and what is used of it.',
  })

type Used = Partial<Record<QuotaName, number>>

/** How much of each quota over time a workspace uses now (`workspaceWindowKeys` has the rows). */
export const usedOfWindows = (ctx: Context, workspace: WithQuotas & { id: string }, rows: BatchRows): Used => {
  const nowMicros = ctx.clock.now() * 1000
  const usedOf = (name: WindowQuota): number => {
    const fullAtMicros = momentIn(rows.item(windowKey(name, workspace.id))) ?? nowMicros
    return Math.ceil(Math.max(0, fullAtMicros - nowMicros) / shareMicros(windowOf(ctx, name, workspace.quotas)))
  }
  return Object.fromEntries(workspaceWindows.map((name) => [name, usedOf(name)]))
}

/** Every quota with its limit for a workspace, and its usage; null where usage is not shown. */
export const viewQuotas = (ctx: Context, workspace: WithQuotas, used: Used): z.infer<typeof QuotaView>[] =>
  quotaNames.map((name) => {
    const limit = limitOfQuota(ctx, name, workspace.quotas)
    const isUsed = used[name] ?? null
    const remaining = isUsed === null ? null : Math.max(0, limit - isUsed)
    const { per, ...rest } = defaultQuotas[name]
    return {
      name,
      per,
      limit,
      used: isUsed,
      remaining,
      ...('windowSeconds' in rest ? { windowSeconds: rest.windowSeconds } : {}),
    }
  })
