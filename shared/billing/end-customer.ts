import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { batchGet, transact } from '../db/table.ts'
import { stripeCustomers } from '../plans/stripe-customer.ts'
import { workspaces } from '../workspaces/workspace.ts'
import { stripeOf } from './stripe/client.ts'
import { isMissing, orRefuse } from './stripe/refuse.ts'

/**
 * Deletes the customer of a deleted workspace at Stripe, which ends every subscription immediately and no checkout page can
 * be completed after it (docs.stripe.com/api/customers/delete). The row stays until Stripe confirms it, and the sweeper
 * repeats the call.
 */
export const endCustomer = async (ctx: Context, customerId: string, workspaceId: string): Promise<void> => {
  const rows = await batchGet(ctx, [stripeCustomers.key({ id: customerId }), workspaces.key({ id: workspaceId })])
  const customer = stripeCustomers.from(rows, { id: customerId })
  if (customer === undefined || workspaces.from(rows, { id: workspaceId }) !== undefined) return
  await orRefuse(ctx, async () => {
    const stripe = await stripeOf(ctx)
    await stripe.customers.del(customerId).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  })
  await wasCurrent(transact(ctx, () => [{ delete: stripeCustomers.key(customer), when: present('PK') }]))
}
