import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { hasProvider } from '../plans/provider.ts'

/** Throws 503 in a deployment without a billing provider. */
export const assertProvider = (ctx: Context): void => {
  if (hasProvider(ctx)) return
  throw new Refusal('unavailable', 'This deployment has no billing provider. Its operator sets the plans.', {
    code: 'billing_not_configured',
  })
}

export const planNotForSale = () =>
  new Refusal('invalid', 'This plan is not sold here. Choose a plan that "GET /api/billing" lists.', {
    code: 'plan_not_available',
    field: 'planId',
  })

export const alreadySubscribed = () =>
  new Refusal('conflict', 'This workspace has a subscription. Change its plan with "POST /api/billing/change".', {
    code: 'already_subscribed',
  })

export const notSubscribed = () =>
  new Refusal('conflict', 'This workspace has no subscription. Start one with "POST /api/billing/checkout".', {
    code: 'not_subscribed',
  })

export const paymentOverdue = () =>
  new Refusal('conflict', 'The last payment failed. Pay the open invoice first: "POST /api/billing/portal" opens it.', {
    code: 'payment_overdue',
  })

export const alreadyCancelled = () =>
  new Refusal('conflict', 'The subscription is canceled. Resume it first with "POST /api/billing/resume".', {
    code: 'subscription_cancelled',
  })

export const changedMeanwhile = () =>
  new Refusal('conflict', 'The subscription changed during the request. Read it again, then retry.', {
    code: 'concurrent_update',
  })
