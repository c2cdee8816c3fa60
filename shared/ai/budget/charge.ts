import type { Context } from '../../context.ts'
import { absent, anyOf, atMost } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { aiBudgetMicroUsd } from '../../workspaces/ai-budget.ts'
import { billingUrlOf } from '../../workspaces/subscription.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { type AiKind, type AiUsage, aiUsages, endOfMonth, monthOf } from './usage.ts'

/** A part of a month's budget that a call or job holds until it ends. */
export interface Reservation {
  workspaceId: string
  month: string
  kind: AiKind
  reservedMicroUsd: number
}

/** What was used, as it is counted. */
export type Used = Partial<Pick<AiUsage, 'inputTokens' | 'outputTokens' | 'speechSeconds'>>

/** The name of the write that reserves: if its condition fails, the budget is used up. */
export const budgetWrite = 'ai-budget'

export const reservationOf = (
  ctx: Context,
  { id: workspaceId }: Workspace,
  kind: AiKind,
  reservedMicroUsd: number,
): Reservation => ({ workspaceId, month: monthOf(ctx.clock.now()), kind, reservedMicroUsd })

/** The write that reserves a part of the budget if it is left. */
export const reserve = (ctx: Context, workspace: Workspace, { reservedMicroUsd, ...of }: Reservation): Write => {
  const budget = aiBudgetMicroUsd(ctx, workspace)
  const { workspaceId, month } = of
  const change = { add: { committed: reservedMicroUsd }, set: { type: 'AiUsage', workspaceId, month } }
  const update = aiUsages.key(of)
  if (budget === undefined) return { as: budgetWrite, update, change }
  const left = budget - reservedMicroUsd
  // Without a row nothing is used; a budget that is too small for the call alone allows no row to pass either.
  const when = left >= 0 ? anyOf(absent('committed'), atMost('committed', left)) : atMost('committed', left)
  return { as: budgetWrite, update, change, when }
}

/** The write that returns a reservation: nothing is charged. */
export const release = ({ reservedMicroUsd, ...of }: Reservation): Write => ({
  update: aiUsages.key(of),
  change: { add: { committed: -reservedMicroUsd } },
})

/** What is charged. Decided: never more than was reserved, so that no answer of a provider can exceed a budget. */
export const chargedOf = ({ reservedMicroUsd }: Reservation, costMicroUsd: number): number =>
  Math.min(costMicroUsd, reservedMicroUsd)

/** The write that turns a reservation into a charge. */
export const chargeWrite = (reservation: Reservation, costMicroUsd: number, used: Used): Write => {
  const { kind, reservedMicroUsd } = reservation
  const charged = chargedOf(reservation, costMicroUsd)
  return {
    update: aiUsages.key(reservation),
    change: { add: { ...used, committed: charged - reservedMicroUsd, [kind]: charged, [`${kind}Calls`]: 1 } },
  }
}

/** The refusal of a call that does not fit into what is left of the budget. */
export const budgetExceeded = async (ctx: Context, workspace: Workspace, month: string): Promise<Refusal> => {
  const { id: workspaceId, subscription, slug } = workspace
  const used = (await aiUsages.get(ctx, { workspaceId, month }))?.committed ?? 0
  const limit = aiBudgetMicroUsd(ctx, workspace) ?? 0
  const resetsAt = endOfMonth(month)
  const text = `The AI budget of this month does not cover this call: ${used} of ${limit} micro-USD are used or reserved. It resets on ${resetsAt.slice(0, 10)}.`
  return new Refusal('unpaid', text, {
    code: 'ai_budget_exceeded',
    extra: {
      httpStatus: 402,
      billingUrl: billingUrlOf(subscription, slug, ctx.env('BASE_URL')),
      subscriptionStatus: subscription.status,
      workspaceSlug: slug,
      usedMicroUsd: used,
      limitMicroUsd: limit,
      resetsAt,
    },
  })
}
