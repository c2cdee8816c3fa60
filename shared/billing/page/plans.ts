import { hidden } from '../../pages/field.ts'
import { type Html, html, nothing } from '../../pages/html.ts'
import { planIds } from '../../plans/plans.ts'
import type { BillingView } from '../view.ts'

type Plan = BillingView['plans'][number]

/** What every form of the page sends back. */
export interface FormKeys {
  formKey: string
  slug: string
}

/** A form with one button. */
export const actionForm = (
  { formKey, slug }: FormKeys,
  action: string,
  label: string,
  { planId, isMain = false }: { planId?: string; isMain?: boolean } = {},
): Html => html`<form method="post" action="billing">
${hidden('form_key', formKey)}${hidden('workspace', slug)}${hidden('action', action)}${hidden('planId', planId)}
<button${isMain ? html` class="main"` : nothing}>${label}</button>
</form>`

const priceOf = ({ monthlyPriceCents, currency }: Plan) =>
  `${(monthlyPriceCents / 100).toFixed(2)} ${currency.toUpperCase()} a month`

const limitsOf = ({ seats, webhookEndpoints, xMonthlyCap, aiBudgetMicroUsd }: Plan) =>
  `${seats} seats, ${webhookEndpoints} webhook endpoints, ${xMonthlyCap} posts to X a month, ${aiBudgetMicroUsd / 1_000_000} USD of AI a month`

const isLarger = (plan: Plan, view: BillingView) =>
  view.planId === null || planIds.indexOf(plan.id) > planIds.indexOf(view.planId)

const choiceOf = (plan: Plan, view: BillingView, keys: FormKeys, isSubscribed: boolean): Html => {
  const isCurrent = isSubscribed && plan.id === view.planId
  if (isCurrent && view.scheduledPlan === null) return html`<p class="soft">Your plan.</p>`
  if (!isSubscribed) return actionForm(keys, 'checkout', `Choose ${plan.name}`, { planId: plan.id, isMain: true })
  if (isCurrent) return actionForm(keys, 'change', `Keep ${plan.name}`, { planId: plan.id })
  if (view.scheduledPlan?.planId === plan.id) return html`<p class="soft">Begins with the next period.</p>`
  const label = isLarger(plan, view) ? `Upgrade to ${plan.name} now` : `Change to ${plan.name} with the next period`
  return actionForm(keys, 'change', view.status === 'trialing' ? `Change to ${plan.name}` : label, { planId: plan.id })
}

/** The plans that are sold, each with the one thing that can be done about it. */
export const planCards = (view: BillingView, keys: FormKeys, isSubscribed: boolean): Html =>
  html`${view.plans.map(
    (plan) => html`<section class="plan">
<h2>${plan.name}</h2>
<p>${priceOf(plan)}</p>
<p class="soft">${limitsOf(plan)}</p>
${choiceOf(plan, view, keys, isSubscribed)}
</section>`,
  )}`
