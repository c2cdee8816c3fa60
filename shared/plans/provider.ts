import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'
import { dayMs } from '../time.ts'
import { type PlanId, planIds } from './plans.ts'

/** How this deployment bills: the Stripe prices of each plan, and the days of access after a failed payment. */
const Billing = z.object({
  prices: z.partialRecord(z.enum(planIds), z.array(z.string())),
  graceDays: z.int(),
  /** Whether a new workspace needs a plan first, or has access without one. */
  newWorkspaces: z.enum(['unpaid', 'free']),
})

const billing = perContext((ctx) => z.parse(Billing, JSON.parse(ctx.env('BILLING'))))

/** Whether the deployment has a billing provider. Without one, every workspace has access. */
export const hasProvider = (ctx: Context): boolean => Object.keys(billing(ctx).prices).length > 0

/** Whether a new workspace has access before a plan is bought. */
export const startsWithAccess = (ctx: Context): boolean => !hasProvider(ctx) || billing(ctx).newWorkspaces === 'free'

/** The price for new subscriptions to a plan; undefined if the plan is not sold. */
export const priceOf = (ctx: Context, planId: PlanId): string | undefined => billing(ctx).prices[planId]?.[0]

/** The plan of a price, also of one that is no longer sold. */
export const planIdOfPrice = (ctx: Context, price: string): PlanId | undefined =>
  planIds.find((planId) => billing(ctx).prices[planId]?.includes(price))

/** How long access continues after a payment failed. */
export const graceMs = (ctx: Context): number => billing(ctx).graceDays * dayMs
