import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'

/** The message to read a subscription at Stripe, or to end the customer of a deleted workspace. */
export const BillingMessage = z.object({ workspaceId: z.string(), customerId: z.optional(z.string()) })
export type BillingMessage = z.infer<typeof BillingMessage>

export const billingSweepRules = [
  sweepRule({
    type: 'BillingAccount',
    shape: z.object({ workspaceId: z.string() }),
    message: ({ workspaceId }) => {
      const body: BillingMessage = { workspaceId }
      return { queue: 'billing', body, group: workspaceId }
    },
  }),
  sweepRule({
    type: 'StripeCustomer',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: customerId }) => {
      const body: BillingMessage = { workspaceId, customerId }
      return { queue: 'billing', body, group: workspaceId }
    },
  }),
]
