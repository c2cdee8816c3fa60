import type { Context } from '../../context.ts'
import { absent, anyOf, atMost } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { aiBudgetMicroUsd } from '../../workspaces/ai-budget.ts'
import { billingUrlOf } from '../../workspaces/subscription.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { type AiKind, type AiUsage, aiUsages, endOfMonth, monthOf } from './usage.ts'

/** A part of a month's budget that a call or job reserves until it ends. */
export interface Reservation {
  workspaceId: string
  /** The workspace whose budget pays, if it is another one. */
  payerId?: string | undefined
  month: string
  kind: AiKind
  reservedMicroUsd: number
}

/** What was used, in the unit that is counted. */
export type Used = Partial<Pick<AiUsage, 'inputTokens' | 'outputTokens' | 'speechSeconds'>>

/** The name of the write that reserves: if its condition fails, the budget is used up. */
export const budgetWrite = 'ai-budget'

export const reservationOf = (
  ctx: Context,
  { id: workspaceId, application }: Workspace,
  kind: AiKind,
  reservedMicroUsd: number,
): Reservation => ({
  workspaceId,
  ...(application === undefined ? {} : { payerId: application.workspaceId }),
  month: monthOf(ctx.clock.now()),
  kind,
  reservedMicroUsd,
})

type Counted = Pick<Reservation, 'workspaceId' | 'payerId' | 'month'>

/** The row whose budget a reservation is taken from. */
const paidIn = ({ workspaceId, payerId = workspaceId, month }: Counted) => ({ workspaceId: payerId, month })

/** The row in which a child workspace sees its usage, if this is a child workspace. */
const seenIn = ({ workspaceId, payerId, month }: Counted) => (payerId === undefined ? [] : [{ workspaceId, month }])

/** The writes that reserve a part of the budget if it is left. */
export const reserve = (ctx: Context, workspace: Workspace, { reservedMicroUsd, ...of }: Reservation): Write[] => {
  const budget = aiBudgetMicroUsd(ctx, workspace)
  const addTo = (row: { workspaceId: string; month: string }) => ({
    update: aiUsages.key(row),
    change: { add: { committed: reservedMicroUsd }, set: { type: 'AiUsage', ...row } },
  })
  const paid = { as: budgetWrite, ...addTo(paidIn(of)) }
  const seen = seenIn(of).map(addTo)
  if (budget === undefined) return [paid, ...seen]
  const left = budget - reservedMicroUsd
  // Without a row, nothing is used yet. A budget that is too small for the call alone is also exceeded without a row.
  const when = left >= 0 ? anyOf(absent('committed'), atMost('committed', left)) : atMost('committed', left)
  return [{ ...paid, when }, ...seen]
}

/** The write that returns a reservation to the budget that it was taken from. */
export const returnToBudget = ({ reservedMicroUsd, ...of }: Reservation): Write => ({
  update: aiUsages.key(paidIn(of)),
  change: { add: { committed: -reservedMicroUsd } },
})

/** The writes that return a reservation without a charge. */
export const release = (reservation: Reservation): Write[] => [
  returnToBudget(reservation),
  ...seenIn(reservation).map((row) => returnToBudget({ ...reservation, ...row, payerId: undefined })),
]

/** The charge. Decided: never more than was reserved, so that no response of a provider can exceed a budget. */
export const chargedOf = ({ reservedMicroUsd }: Reservation, costMicroUsd: number): number =>
  Math.min(costMicroUsd, reservedMicroUsd)

/** The writes that turn a reservation into a charge. */
export const chargeWrites = (reservation: Reservation, costMicroUsd: number, used: Used): Write[] => {
  const { kind, reservedMicroUsd, payerId } = reservation
  const charged = chargedOf(reservation, costMicroUsd)
  const committed = charged - reservedMicroUsd
  const own = {
    update: aiUsages.key(reservation),
    change: { add: { ...used, committed, [kind]: charged, [`${kind}Calls`]: 1 } },
  }
  if (payerId === undefined) return [own]
  return [own, { update: aiUsages.key(paidIn(reservation)), change: { add: { committed, children: charged } } }]
}

/** The refusal of a call that exceeds the rest of the budget. */
export const budgetExceeded = async (ctx: Context, workspace: Workspace, month: string): Promise<Refusal> => {
  const { id: workspaceId, application, subscription, slug } = workspace
  const row = await aiUsages.get(ctx, { workspaceId: application?.workspaceId ?? workspaceId, month })
  const used = row?.committed ?? 0
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
