import * as z from 'zod/mini'
import { Refusal } from '../errors.ts'

/** The plan of a workspace as the specification shows it (WorkspaceSubscription). */
export const Subscription = z.object({
  status: z.string(),
  planName: z.nullable(z.string()),
  hasAccess: z.boolean(),
  accessMessage: z.optional(z.string()),
  billingUrl: z.optional(z.string()),
  cancelAtPeriodEnd: z.optional(z.boolean()),
  currentPeriodEnd: z.optional(z.nullable(z.string())),
})
export type Subscription = z.infer<typeof Subscription>

/** Decided: without a billing provider every workspace has access. */
export const selfHosted: Subscription = { status: 'active', planName: 'self-hosted', hasAccess: true }

/** The 402 body of the specification (Envelopes, subscription-required error). */
export const unpaid = (subscription: Subscription, slug: string, baseUrl: string): Refusal =>
  new Refusal('unpaid', subscription.accessMessage ?? 'This workspace has no active plan: choose one to go on.', {
    code: 'subscription_required',
    extra: {
      httpStatus: 402,
      billingUrl: subscription.billingUrl ?? `${baseUrl}/billing?workspace=${encodeURIComponent(slug)}`,
      subscriptionStatus: subscription.status,
      workspaceSlug: slug,
    },
  })
