import { systemActor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { stripeCustomers } from '../plans/stripe-customer.ts'
import { endCustomer } from './end-customer.ts'
import { rememberEvent, stripeEvents, verifyStripeEvent } from './stripe-event.ts'
import { syncSubscription } from './sync.ts'

/**
 * Handles a Stripe event. Its ID is stored in the transaction with its effects. An event whose handling failed is handled
 * when Stripe sends it again, and a handled one costs a read.
 */
export const receiveStripeEvent = async (
  ctx: Context,
  rawBody: string,
  signature: string | undefined,
): Promise<void> => {
  const { id, customerId } = await verifyStripeEvent(ctx, rawBody, signature)
  if (id === undefined || customerId === undefined) return
  const rows = await batchGet(ctx, [stripeEvents.key({ id }), stripeCustomers.key({ id: customerId })])
  const customer = stripeCustomers.from(rows, { id: customerId })
  // A customer of another product in the same account, or one that has ended.
  if (customer === undefined || stripeEvents.from(rows, { id }) !== undefined) return
  const { workspaceId } = customer
  const synced = await syncSubscription(ctx, workspaceId, systemActor('stripe'), [rememberEvent(ctx, id)])
  if (synced === undefined) await endCustomer(ctx, customerId, workspaceId)
}
