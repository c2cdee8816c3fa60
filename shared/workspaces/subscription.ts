import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'

/** The plan of a workspace as in the specification (WorkspaceSubscription). */
export const Subscription = z.object({
  status: z.string(),
  planName: z.nullable(z.string()),
  /** The plan whose limits apply (shared/plans/plans.ts); absent for a custom plan by an operator. */
  planId: z.optional(z.string()),
  hasAccess: z.boolean(),
  accessMessage: z.optional(z.string()),
  billingUrl: z.optional(z.string()),
  cancelAtPeriodEnd: z.optional(z.boolean()),
  currentPeriodEnd: z.optional(z.nullable(z.string())),
  trialEndsAt: z.optional(z.string()),
  /** When access ends unless the billing provider reports a renewal: the end of the grace period, or of the subscription. */
  accessUntil: z.optional(z.string()),
})
export type Subscription = z.infer<typeof Subscription>

/** A plan as the API returns it: all fields of the specification, for every workspace. */
export const SubscriptionView = z
  .object({
    status: described(
      z.string(),
      'The status of the subscription as Stripe names it, `none` without one, or what the operator set.',
    ),
    planName: described(z.nullable(z.string()), 'The name of the plan; null without one.'),
    hasAccess: described(z.boolean(), 'Whether the workspace can be used now.'),
    accessMessage: described(z.string(), 'One sentence that says whether the workspace can be used.'),
    billingUrl: described(z.string(), 'The page that explains how to get a plan.', { format: 'uri' }),
    cancelAtPeriodEnd: described(z.boolean(), 'Whether the subscription ends with the paid period.'),
    currentPeriodEnd: z.nullable(timestamp('When the paid period ends; null if it does not end.')),
  })
  .register(z.globalRegistry, {
    id: 'WorkspaceSubscription',
    description: 'The plan of a workspace, and whether it gives access.',
  })

const noPlan = 'This workspace has no active plan. Choose one to continue.'

/** Whether a subscription gives access now. Access ends by the clock, even if no event of the provider arrives. */
export const hasAccess = ({ hasAccess, accessUntil }: Subscription, nowMs: number): boolean =>
  hasAccess && (accessUntil === undefined || nowMs < Date.parse(accessUntil))

const dayOf = (moment: string | null | undefined): string | undefined => moment?.slice(0, 10)

const messageWithAccess = (subscription: Subscription): string => {
  const { status, cancelAtPeriodEnd, accessUntil, trialEndsAt } = subscription
  if (cancelAtPeriodEnd && accessUntil) return `The subscription ends on ${dayOf(accessUntil)}.`
  if (status === 'past_due' && accessUntil) {
    return `The last payment failed. Access ends on ${dayOf(accessUntil)} unless a payment succeeds.`
  }
  if (status === 'trialing' && trialEndsAt) return `The trial ends on ${dayOf(trialEndsAt)}.`
  return 'This workspace has access.'
}

/** A subscription that lives at Stripe cannot be bought again: only its portal helps. */
const messageWithoutAccess = ({ status, accessUntil, cancelAtPeriodEnd }: Subscription): string => {
  if (status === 'past_due' || status === 'unpaid') {
    return 'The last payment failed, and access has ended. Pay the open invoice to continue.'
  }
  if (status === 'paused') {
    return 'The subscription is paused. Add a payment method in the billing portal to resume it.'
  }
  return status === 'active' && accessUntil !== undefined && !cancelAtPeriodEnd
    ? 'The paid period has ended, and no renewal is known. Check the subscription in the billing portal.'
    : noPlan
}

const accessMessageOf = (subscription: Subscription, nowMs: number): string =>
  subscription.accessMessage ??
  (hasAccess(subscription, nowMs) ? messageWithAccess(subscription) : messageWithoutAccess(subscription))

export const billingUrlOf = ({ billingUrl }: Subscription, slug: string, baseUrl: string) =>
  billingUrl ?? `${baseUrl}/billing?workspace=${encodeURIComponent(slug)}`

export const viewSubscription = (
  subscription: Subscription,
  slug: string,
  baseUrl: string,
  nowMs: number,
): z.infer<typeof SubscriptionView> => ({
  status: subscription.status,
  planName: subscription.planName,
  hasAccess: hasAccess(subscription, nowMs),
  accessMessage: accessMessageOf(subscription, nowMs),
  billingUrl: billingUrlOf(subscription, slug, baseUrl),
  cancelAtPeriodEnd: subscription.cancelAtPeriodEnd ?? false,
  currentPeriodEnd: subscription.currentPeriodEnd ?? null,
})

/** Decided: without a billing provider, every workspace has access. */
export const selfHosted: Subscription = { status: 'active', planName: 'self-hosted', hasAccess: true }

/** With a billing provider, a new workspace has no plan until one is bought. */
export const unsubscribed: Subscription = { status: 'none', planName: null, hasAccess: false }

interface Subscribed {
  subscription: Subscription
  slug: string
}

/** The members of every 402 body in the specification (Envelopes, subscription-required error). */
const paymentMembers = ({ subscription, slug }: Subscribed, baseUrl: string) => ({
  httpStatus: 402,
  billingUrl: billingUrlOf(subscription, slug, baseUrl),
  subscriptionStatus: subscription.status,
  workspaceSlug: slug,
})

/** The refusal of a workspace without access. */
export const unpaid = (ctx: Context, workspace: Subscribed): Refusal =>
  new Refusal('unpaid', accessMessageOf(workspace.subscription, ctx.clock.now()), {
    code: 'subscription_required',
    extra: paymentMembers(workspace, ctx.env('BASE_URL')),
  })

/** The resources that a plan limits by number. */
const limitNouns = { seats: 'seats', webhookEndpoints: 'webhook endpoints' } as const
export type PlanLimit = keyof typeof limitNouns

/** The refusal above a limit of the plan. */
export const overPlan = (
  ctx: Context,
  workspace: Subscribed,
  quota: PlanLimit,
  { limit, used }: { limit: number; used: number },
): Refusal => {
  const { planName } = workspace.subscription
  const text = `The plan "${planName}" has ${limit} ${limitNouns[quota]}, and ${used} are in use. Choose a larger plan, or free one.`
  return new Refusal('unpaid', text, {
    code: 'plan_limit_reached',
    extra: { ...paymentMembers(workspace, ctx.env('BASE_URL')), quota, limit, used, planName },
  })
}
