/** The price and limits of a plan. A limit applies to one workspace. */
export interface Plan {
  id: PlanId
  name: string
  /** The price as shown; Stripe charges what its price says (the setting `stripePrices`). */
  monthlyPriceCents: number
  currency: 'usd'
  /** Days without charge, for a workspace that never had a subscription. */
  trialDays: number
  /** Posts to X in a month. */
  xMonthlyCap: number
  /** Members and pending invitations together. */
  seats: number
  webhookEndpoints: number
  /** What AI may cost in a month, in millionths of a US dollar. */
  aiBudgetMicroUsd: number
}

/** From the smallest plan to the largest: a later plan is an upgrade. */
export const planIds = ['starter', 'team', 'business'] as const
export type PlanId = (typeof planIds)[number]

/** Decided: the plans of a deployment with a billing provider. */
export const plans: readonly [Plan, ...Plan[]] = [
  {
    id: 'starter',
    name: 'Starter',
    monthlyPriceCents: 1_900,
    currency: 'usd',
    trialDays: 14,
    xMonthlyCap: 100,
    seats: 2,
    webhookEndpoints: 2,
    aiBudgetMicroUsd: 2_000_000,
  },
  {
    id: 'team',
    name: 'Team',
    monthlyPriceCents: 4_900,
    currency: 'usd',
    trialDays: 14,
    xMonthlyCap: 500,
    seats: 10,
    webhookEndpoints: 5,
    aiBudgetMicroUsd: 10_000_000,
  },
  {
    id: 'business',
    name: 'Business',
    monthlyPriceCents: 14_900,
    currency: 'usd',
    trialDays: 14,
    xMonthlyCap: 2_000,
    seats: 50,
    webhookEndpoints: 10,
    aiBudgetMicroUsd: 50_000_000,
  },
]

/** The plan with this ID; undefined for a custom plan by an operator, and for none. */
export const planOf = (id: string | undefined): Plan | undefined => plans.find((plan) => plan.id === id)
