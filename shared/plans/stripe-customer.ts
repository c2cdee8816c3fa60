import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { sweepAt } from '../db/sweep-at.ts'
import type { Write } from '../db/table.ts'

/**
 * Links a Stripe customer to the workspace that pays. The row outlives a deleted workspace until the customer is deleted at
 * Stripe, which ends every subscription.
 */
const StripeCustomer = z.object({ id: z.string(), workspaceId: z.string() })

export const stripeCustomers = entity({
  type: 'StripeCustomer',
  shape: StripeCustomer,
  key: ({ id }: { id: string }) => ({ PK: `STRIPE#${id}`, SK: 'CUSTOMER' }),
})

/** The write that has the customer of a deleted workspace deleted at Stripe, in the transaction of the deletion. */
export const endCustomerLater = (customer: z.infer<typeof StripeCustomer>, nowMs: number): Write => ({
  put: { ...stripeCustomers.item(customer), ...sweepAt(customer.id, nowMs) },
})
