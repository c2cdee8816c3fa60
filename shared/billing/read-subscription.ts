import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { BillingAccount } from './account.ts'
import { type Snapshot, StripeSubscription, snapshotOf } from './snapshot.ts'
import { stripeOf } from './stripe/client.ts'
import { orRefuse, readAnswer } from './stripe/refuse.ts'

/** Subscriptions that exist for the customer; one that was never paid, or has ended, gives no access. */
const activeStatuses: readonly string[] = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

/** Stripe lists the newest first, so a live subscription is among these however many have ended. */
const listAll = async (ctx: Context, stripe: Stripe, customer: string): Promise<Snapshot[]> => {
  const { data } = await stripe.subscriptions.list({
    customer,
    status: 'all',
    limit: 20,
    expand: ['data.latest_invoice', 'data.schedule'],
  })
  return readAnswer(ctx, z.array(StripeSubscription), data)
    .map(snapshotOf)
    .sort((a, b) => a.createdMs - b.createdMs)
}

/** The customer's state at Stripe. */
export interface StripeState {
  /** The subscription that lives. */
  snapshot: Snapshot | undefined
  /** Whether one has ended. */
  hasEnded: boolean
}

/**
 * The subscription of a workspace as Stripe has it now. Decided: a workspace has one subscription. If two checkout pages
 * were completed, the known one, or the older one, stays, and the payment for the other is credited to the customer at
 * Stripe.
 */
export const readSubscription = (ctx: Context, account: BillingAccount): Promise<StripeState> =>
  orRefuse(ctx, async () => {
    const stripe = await stripeOf(ctx)
    const all = await listAll(ctx, stripe, account.customerId)
    const active = all.filter(({ status }) => activeStatuses.includes(status))
    const current = active.find(({ id }) => id === account.subscriptionId) ?? active[0]
    for (const { id } of active.filter((subscription) => subscription !== current)) {
      ctx.log.warn('a second subscription was canceled', { workspaceId: account.workspaceId, subscriptionId: id })
      await stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true })
    }
    return { snapshot: current, hasEnded: all.some(({ status }) => status === 'canceled') }
  })
