import type Stripe from 'stripe'
import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Plan, type PlanId, planIds, planOf } from '../plans/plans.ts'
import { planIdOfPrice, priceOf } from '../plans/provider.ts'
import type { BillingAccount } from './account.ts'
import { changeAtStripe, type Payer } from './change-at-stripe.ts'
import { stripeKey } from './link-customer.ts'
import { alreadyCancelled, paymentOverdue, planNotForSale } from './refuse.ts'
import type { Snapshot } from './snapshot.ts'
import type { BilledWorkspace } from './sync.ts'
import { blockersOf, usedOf } from './usage.ts'

const assertFits = async (ctx: Context, { workspace }: BilledWorkspace, plan: Plan): Promise<void> => {
  const blockers = blockersOf(plan, await usedOf(ctx, workspace))
  const [first] = blockers
  if (first === undefined) return
  const noun = first.quota === 'seats' ? 'seats' : 'webhook endpoints'
  const text = `The plan "${plan.name}" has ${first.limit} ${noun}, and ${first.used} are in use. Free some first.`
  throw new Refusal('conflict', text, { code: 'plan_too_small', field: 'planId', extra: { blockers } })
}

/** Changes the price immediately. The difference is charged now. If the payment fails, nothing changes. */
const changeNow = async (stripe: Stripe, { workspaceId, version }: BillingAccount, now: Snapshot, price: string) => {
  if (now.scheduleId !== undefined) await stripe.subscriptionSchedules.release(now.scheduleId)
  const params = {
    items: [{ id: now.itemId, price }],
    proration_behavior: now.status === 'trialing' ? 'none' : 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  } satisfies Stripe.SubscriptionUpdateParams
  await stripe.subscriptions.update(now.id, params, stripeKey('change', workspaceId, version, params))
}

/** Starts another price with the next period (docs.stripe.com/billing/subscriptions/subscription-schedules). */
const changeLater = async (stripe: Stripe, { workspaceId, version }: BillingAccount, now: Snapshot, price: string) => {
  const from = { from_subscription: now.id }
  const id =
    now.scheduleId ??
    (await stripe.subscriptionSchedules.create(from, stripeKey('schedule', workspaceId, version, from))).id
  const [start_date, end_date] = [now.periodStartMs / 1000, now.periodEndMs / 1000]
  const params = {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      { items: [{ price: now.price, quantity: 1 }], start_date, end_date },
      { items: [{ price, quantity: 1 }], start_date: end_date, duration: { interval: 'month', interval_count: 1 } },
    ],
  } satisfies Stripe.SubscriptionScheduleUpdateParams
  await stripe.subscriptionSchedules.update(id, params, stripeKey('phases', workspaceId, version, params))
}

/**
 * Changes the plan of a subscription. Decided: a larger plan starts immediately and is prorated; a smaller one
 * starts with the next period, and is refused while usage exceeds its limits. During a trial both start immediately.
 */
export const changePlan = (ctx: Context, payer: Payer, planId: PlanId, actor: Actor): Promise<BilledWorkspace> =>
  changeAtStripe(ctx, payer, actor, async (stripe, billed, now) => {
    const [plan, price] = [planOf(planId), priceOf(ctx, planId)]
    if (plan === undefined || price === undefined) throw planNotForSale()
    if (now.status !== 'trialing' && now.status !== 'active') throw paymentOverdue()
    if (now.endsAtMs !== null) throw alreadyCancelled()
    const current = planIdOfPrice(ctx, now.price)
    if (current === planId) {
      // The plan stays: a scheduled downgrade is canceled.
      if (now.scheduleId !== undefined) await stripe.subscriptionSchedules.release(now.scheduleId)
      return
    }
    const isSmaller = current !== undefined && planIds.indexOf(planId) < planIds.indexOf(current)
    if (isSmaller) await assertFits(ctx, billed, plan)
    const change = isSmaller && now.status === 'active' ? changeLater : changeNow
    await change(stripe, billed.account, now, price)
  })
