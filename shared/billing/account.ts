import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { planIds } from '../plans/plans.ts'

/** A checkout page that is open at Stripe. */
const OpenCheckout = z.object({
  sessionId: z.string(),
  planId: z.enum(planIds),
  url: z.string(),
  expiresAtMs: z.number(),
})

/**
 * What links a workspace to Stripe. `version` rises with every write, so that a state read at Stripe before another one
 * was stored is never stored after it.
 */
const BillingAccount = z.object({
  id: z.string(),
  workspaceId: z.string(),
  customerId: z.string(),
  version: z.int(),
  /** The subscription that gives access; absent before the first one and after the last one ended. */
  subscriptionId: z.optional(z.string()),
  /**
   * Decided: a workspace has one trial, and a person one for each workspace that they own, at most 20: several products or
   * customers of one person are each tried. It is used up with its first subscription.
   */
  hadSubscription: z._default(z.boolean(), false),
  /** A smaller plan that starts with the next period. */
  scheduledPlan: z.optional(z.object({ planId: z.enum(planIds), startsAt: z.string() })),
  checkout: z.optional(OpenCheckout),
  /** The end of the trial, and the invoice, that were reported by an event. */
  reportedTrialEnd: z.optional(z.string()),
  reportedInvoice: z.optional(z.string()),
  eventCount: z._default(z.int(), 0),
  lastEventId: z.optional(z.string()),
})
export type BillingAccount = z.infer<typeof BillingAccount>

export const billingAccounts = entity({
  type: 'BillingAccount',
  shape: BillingAccount,
  key: ({ workspaceId }: { workspaceId: string }) => ({ PK: `WS#${workspaceId}`, SK: 'BILLING' }),
})
