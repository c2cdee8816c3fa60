import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BillingAccount } from './account.ts'
import { assertProvider, notSubscribed } from './refuse.ts'
import type { StripePage } from './requests.ts'
import { stripeOf } from './stripe/client.ts'
import { orRefuse } from './stripe/refuse.ts'

/** Opens the customer portal of Stripe: payment methods, invoices, addresses. */
export const openPortal = async (
  ctx: Context,
  workspace: Workspace,
  account: BillingAccount | undefined,
): Promise<z.infer<typeof StripePage>> => {
  assertProvider(ctx)
  if (account === undefined) throw notSubscribed()
  const params = {
    customer: account.customerId,
    return_url: `${ctx.env('BASE_URL')}/billing?workspace=${encodeURIComponent(workspace.slug)}`,
  }
  return orRefuse(ctx, async () => {
    const stripe = await stripeOf(ctx)
    const { url } = await stripe.billingPortal.sessions.create(params)
    return { url }
  })
}
