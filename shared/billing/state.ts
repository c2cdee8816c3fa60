import type { Context } from '../context.ts'
import { planOf } from '../plans/plans.ts'
import { graceMs, planIdOfPrice } from '../plans/provider.ts'
import { dayMs } from '../time.ts'
import type { Subscription } from '../workspaces/subscription.ts'
import type { BillingAccount } from './account.ts'
import type { StripeState } from './read-subscription.ts'
import type { Snapshot } from './snapshot.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

const usable: readonly string[] = ['trialing', 'active', 'past_due']

/**
 * When access ends unless Stripe says otherwise. Decided: after a failed payment it continues for the grace period. It also
 * continues after a period for whose end no event arrived, for at least a day.
 */
const accessEndMs = (ctx: Context, { status, endsAtMs, periodEndMs, periodStartMs, openInvoice }: Snapshot): number => {
  const graceEndMs =
    status === 'past_due'
      ? (openInvoice?.createdMs ?? periodStartMs) + graceMs(ctx)
      : periodEndMs + Math.max(graceMs(ctx), dayMs)
  return Math.min(endsAtMs ?? Number.POSITIVE_INFINITY, graceEndMs)
}

/** The plan of a subscription. A subscription with a price that the deployment does not know keeps its plan. */
const planIdOf = (ctx: Context, { price, id }: Snapshot, before: Subscription): string | undefined => {
  const planId = planIdOfPrice(ctx, price)
  if (planId === undefined)
    ctx.log.error('the price of a subscription is not configured', { price, subscriptionId: id })
  return planId ?? before.planId
}

const ended: Subscription = { status: 'canceled', planName: null, hasAccess: false }

interface Reading extends StripeState {
  account: BillingAccount
}

/** Whether a subscription has ended since the last reading: the stored one, or one that was never seen active. */
const isEnd = ({ hasEnded, account }: Reading): boolean =>
  account.subscriptionId !== undefined || (hasEnded && !account.hadSubscription)

/** The subscription of a workspace, derived from Stripe's state; nothing else changes it. */
export const subscriptionOf = (ctx: Context, reading: Reading, before: Subscription): Subscription => {
  const { snapshot } = reading
  // Without a subscription at Stripe, the plan set by the operator stays.
  if (snapshot === undefined) return isEnd(reading) ? ended : before
  const { status, trialEndMs, endsAtMs, periodEndMs } = snapshot
  const planId = planIdOf(ctx, snapshot, before)
  const hasAccess = usable.includes(status)
  return {
    status,
    planName: planOf(planId)?.name ?? before.planName,
    ...(planId === undefined ? {} : { planId }),
    hasAccess,
    cancelAtPeriodEnd: endsAtMs !== null,
    currentPeriodEnd: iso(endsAtMs ?? periodEndMs),
    ...(status === 'trialing' && trialEndMs !== null ? { trialEndsAt: iso(trialEndMs) } : {}),
    ...(hasAccess ? { accessUntil: iso(accessEndMs(ctx, snapshot)) } : {}),
  }
}

/** The smaller plan of the next period. */
export const scheduledPlanOf = (ctx: Context, snapshot: Snapshot | undefined): BillingAccount['scheduledPlan'] => {
  if (snapshot?.nextPrice === undefined || snapshot.nextPrice.price === snapshot.price) return undefined
  const planId = planIdOfPrice(ctx, snapshot.nextPrice.price)
  return planId && { planId, startsAt: iso(snapshot.nextPrice.startsAtMs) }
}
