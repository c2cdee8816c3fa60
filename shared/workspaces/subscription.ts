import * as z from 'zod/mini'
import { Refusal } from '../errors/refusal.ts'
import { timestamp } from '../http/moment.ts'

/** The plan of a workspace as in the specification (WorkspaceSubscription). */
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

/** A plan as the API returns it: all fields of the specification, for every workspace. */
export const SubscriptionView = z
  .object({
    status: z.string(),
    planName: z.nullable(z.string()),
    hasAccess: z.boolean(),
    accessMessage: z
      .string()
      .register(z.globalRegistry, { description: 'One sentence that says whether the workspace can be used.' }),
    billingUrl: z
      .string()
      .register(z.globalRegistry, { format: 'uri', description: 'The page that explains how to get a plan.' }),
    cancelAtPeriodEnd: z.boolean(),
    currentPeriodEnd: z.nullable(timestamp('When the paid period ends; null if it does not end.')),
  })
  .register(z.globalRegistry, { id: 'WorkspaceSubscription' })

const noPlan = 'This workspace has no active plan. Choose one to continue.'

const billingUrlOf = ({ billingUrl }: Subscription, slug: string, baseUrl: string) =>
  billingUrl ?? `${baseUrl}/billing?workspace=${encodeURIComponent(slug)}`

export const viewSubscription = (
  subscription: Subscription,
  slug: string,
  baseUrl: string,
): z.infer<typeof SubscriptionView> => ({
  ...subscription,
  accessMessage: subscription.accessMessage ?? (subscription.hasAccess ? 'This workspace has access.' : noPlan),
  billingUrl: billingUrlOf(subscription, slug, baseUrl),
  cancelAtPeriodEnd: subscription.cancelAtPeriodEnd ?? false,
  currentPeriodEnd: subscription.currentPeriodEnd ?? null,
})

/** Decided: without a billing provider, every workspace has access. */
export const selfHosted: Subscription = { status: 'active', planName: 'self-hosted', hasAccess: true }

/** The 402 body of the specification (Envelopes, subscription-required error). */
export const unpaid = (subscription: Subscription, slug: string, baseUrl: string): Refusal =>
  new Refusal('unpaid', subscription.accessMessage ?? noPlan, {
    code: 'subscription_required',
    extra: {
      httpStatus: 402,
      billingUrl: billingUrlOf(subscription, slug, baseUrl),
      subscriptionStatus: subscription.status,
      workspaceSlug: slug,
    },
  })
