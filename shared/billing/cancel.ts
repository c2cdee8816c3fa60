import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { changeAtStripe, type Payer } from './change-at-stripe.ts'
import type { BilledWorkspace } from './sync.ts'

/** Ends a subscription with the period that is paid, and drops a plan that was to follow. */
export const cancelSubscription = (ctx: Context, payer: Payer, actor: Actor): Promise<BilledWorkspace> =>
  changeAtStripe(ctx, payer, actor, async (stripe, _billed, now) => {
    if (now.endsAtMs !== null) return
    // Stripe rejects it while a schedule manages the subscription.
    if (now.scheduleId !== undefined) await stripe.subscriptionSchedules.release(now.scheduleId)
    await stripe.subscriptions.update(now.id, { cancel_at_period_end: true })
  })

/** Undoes a cancellation before it takes effect. */
export const resumeSubscription = (ctx: Context, payer: Payer, actor: Actor): Promise<BilledWorkspace> =>
  changeAtStripe(ctx, payer, actor, async (stripe, _billed, now) => {
    if (now.endsAtMs === null) return
    await stripe.subscriptions.update(
      now.id,
      now.cancelAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' },
    )
  })
