import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { type Plan, planIds, planOf, plans } from '../plans/plans.ts'
import { hasProvider, priceOf } from '../plans/provider.ts'
import { aiBudgetMicroUsd } from '../workspaces/ai-budget.ts'
import { hasAccess, viewSubscription } from '../workspaces/subscription.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BillingAccount } from './account.ts'
import { readAiUsage, usedOf } from './usage.ts'

const text = (description: string) => described(z.string(), description)
const whole = (description: string) => described(z.int(), description)
const orNull = <T extends z.ZodMiniType>(schema: T, description: string) => described(z.nullable(schema), description)

const PlanView = z
  .object({
    id: described(z.enum(planIds), 'The id to send as `planId`.'),
    name: text('The name as shown in the app.'),
    monthlyPriceCents: whole('The price of a month without taxes, in the smallest unit of the currency.'),
    currency: text('The ISO 4217 code in lowercase.'),
    trialDays: whole('Days without charge, once for each workspace.'),
    xMonthlyCap: whole('Posts to X in a month.'),
    seats: whole('Members and pending invitations together.'),
    webhookEndpoints: whole('Webhook endpoints.'),
    aiBudgetMicroUsd: whole('What AI may cost in a month, in millionths of a US dollar.'),
  })
  .register(z.globalRegistry, { id: 'Plan', description: 'A plan that is sold.' })

const usage = (what: string) =>
  described(z.object({ used: whole('How many are in use.'), limit: orNull(z.int(), 'Null: without limit.') }), what)

/** The billing of a workspace as shown to its owner and admins. */
export const BillingView = z
  .object({
    provider: described(
      z.enum(['stripe', 'none']),
      '`none`: the deployment takes no payments, and its operator sets plans.',
    ),
    planId: orNull(z.enum(planIds), 'Null: no plan, or one that the operator made up.'),
    planName: orNull(z.string(), 'The name of the plan as shown in the app.'),
    status: text('The status of the subscription, from Stripe or the operator.'),
    hasAccess: described(z.boolean(), 'Whether the workspace can be used now.'),
    accessMessage: text('One sentence that says whether the workspace can be used.'),
    trialEndsAt: z.nullable(timestamp('When the trial ends; null outside of a trial.')),
    currentPeriodEnd: z.nullable(timestamp('When the paid period ends; null if it does not end.')),
    accessEndsAt: z.nullable(timestamp('When access ends unless a payment succeeds; null if it does not end.')),
    cancelAtPeriodEnd: described(z.boolean(), 'Whether the subscription is canceled.'),
    scheduledPlan: described(
      orNull(
        z.object({ planId: described(z.enum(planIds), 'The ID of the plan.'), startsAt: timestamp('When it begins.') }),
        'A smaller plan that begins with the next period.',
      ),
      'A smaller plan that begins with the next period; null if none does.',
    ),
    seats: usage('Members and pending invitations together.'),
    webhookEndpoints: usage('Webhook endpoints.'),
    aiBudget: described(
      z.object({
        usedMicroUsd: whole('What was charged in the current month.'),
        limitMicroUsd: orNull(z.int(), 'Null: without limit.'),
      }),
      'What AI may cost in a month, in millionths of a US dollar.',
    ),
    xMonthlyCap: orNull(z.int(), 'Posts to X in a month. Null: the cap of the deployment.'),
    plans: described(z.array(PlanView), 'The plans that are sold, from small to large.'),
    billingUrl: text('The page to manage the plan.'),
  })
  .register(z.globalRegistry, { id: 'Billing', description: 'The plan of a workspace, and what it uses.' })
export type BillingView = z.infer<typeof BillingView>

/** The plans that can be bought in this deployment. */
export const soldPlans = (ctx: Context): Plan[] => plans.filter(({ id }) => priceOf(ctx, id) !== undefined)

/** Decided: without a plan, the limits are those of every workspace: none for seats but that of members, ten endpoints. */
const maxEndpoints = 10

export const viewBilling = async (
  ctx: Context,
  workspace: Workspace,
  account: BillingAccount | undefined,
): Promise<BillingView> => {
  const nowMs = ctx.clock.now()
  const { subscription, slug, xMonthlyCap } = workspace
  const { planName, status, accessMessage, billingUrl, cancelAtPeriodEnd, currentPeriodEnd } = viewSubscription(
    subscription,
    slug,
    ctx.env('BASE_URL'),
    nowMs,
  )
  const plan = planOf(subscription.planId)
  const [used, usedMicroUsd] = await Promise.all([usedOf(ctx, workspace), readAiUsage(ctx, workspace)])
  return {
    provider: hasProvider(ctx) ? 'stripe' : 'none',
    planId: plan?.id ?? null,
    planName,
    status,
    accessMessage,
    cancelAtPeriodEnd,
    currentPeriodEnd,
    billingUrl,
    hasAccess: hasAccess(subscription, nowMs),
    trialEndsAt: subscription.trialEndsAt ?? null,
    accessEndsAt: subscription.accessUntil ?? null,
    scheduledPlan: account?.scheduledPlan ?? null,
    seats: { used: used.seats, limit: plan?.seats ?? null },
    webhookEndpoints: { used: used.webhookEndpoints, limit: plan?.webhookEndpoints ?? maxEndpoints },
    aiBudget: { usedMicroUsd, limitMicroUsd: aiBudgetMicroUsd(ctx, workspace) ?? null },
    xMonthlyCap: xMonthlyCap ?? null,
    plans: soldPlans(ctx),
  }
}
