import type { Context } from '../../context.ts'
import type { Refusal } from '../../errors/refusal.ts'
import { alert, hidden, links } from '../../pages/field.ts'
import { type Html, html, nothing } from '../../pages/html.ts'
import type { Page } from '../../pages/layout.ts'
import { withQuery } from '../../pages/own-page.ts'
import { signedInAs } from '../../pages/sign-out-form.ts'
import type { Visitor } from '../../pages/visitor.ts'
import { planIds, planOf } from '../../plans/plans.ts'
import { hasProvider } from '../../plans/provider.ts'
import { type BillingView, viewBilling } from '../view.ts'
import { type BillingQuery, type BillingSubject, findSubject, mayBill } from './find.ts'

type Plan = BillingView['plans'][number]

/** What every form of the page sends back. */
interface FormKeys {
  formKey: string
  slug: string
}

/** A form with one button. */
const actionForm = (
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

/** The plans for sale, each with the one action that is possible for it. */
const planCards = (view: BillingView, keys: FormKeys, isSubscribed: boolean): Html =>
  html`${view.plans.map(
    (plan) => html`<section class="plan">
<h2>${plan.name}</h2>
<p>${priceOf(plan)}</p>
<p class="soft">${limitsOf(plan)}</p>
${choiceOf(plan, view, keys, isSubscribed)}
</section>`,
  )}`

const title = 'A plan for your workspace'

/** How soon a page that waits for Stripe loads again. */
const reloadSeconds = 3

const needsPlan = (slug: string | undefined): Html =>
  html`<p>${slug === undefined ? 'A workspace' : html`The workspace <strong>${slug}</strong>`} needs an active plan before it can schedule and publish.</p>`

/** Reads nothing, so that it does not reveal which workspaces exist. */
const forNobody = (slug: string | undefined): Html => {
  const back = { return: withQuery('/billing', { workspace: slug }) }
  return html`${needsPlan(slug)}<p>Sign in as an owner or admin of the workspace to choose one.</p>
${links({ 'Sign in': withQuery('login', back) })}`
}

const toWorkspaces = links({ 'Your workspaces': 'workspaces' })

const selfHosted = (slug: string | undefined): Html =>
  html`<p>This service does not take payments. A new workspace has access to everything.</p>
<p>If ${slug === undefined ? 'your workspace' : html`the workspace <strong>${slug}</strong>`} has no access, ask the people who run the service to change its plan.</p>${toWorkspaces}`

const forStranger = (slug: string | undefined): Html =>
  html`<p>${slug === undefined ? 'The address names no workspace.' : html`You’re not a member of the workspace <strong>${slug}</strong>.`} Open this page from your workspace.</p>${toWorkspaces}`

const dayOf = (moment: string) => new Date(moment).toUTCString().slice(5, 16)

const dollars = (microUsd: number) => (microUsd / 1_000_000).toFixed(2)

const usedOf = ({ used, limit }: BillingView['seats']) => (limit === null ? `${used}` : `${used} of ${limit}`)

const aiOf = ({ usedMicroUsd, limitMicroUsd }: BillingView['aiBudget']) =>
  `${dollars(usedMicroUsd)}${limitMicroUsd === null ? '' : ` of ${dollars(limitMicroUsd)}`} USD`

const details = (view: BillingView): Html => {
  const rows: Record<string, string> = {
    Plan: view.planName ?? 'None',
    Access: view.accessMessage,
    ...(view.currentPeriodEnd === null
      ? {}
      : { [view.cancelAtPeriodEnd ? 'Ends' : 'Next period']: dayOf(view.currentPeriodEnd) }),
    Seats: usedOf(view.seats),
    'Webhook endpoints': usedOf(view.webhookEndpoints),
    'AI this month': aiOf(view.aiBudget),
    'Posts to X per month': view.xMonthlyCap === null ? 'No limit in the plan' : `${view.xMonthlyCap}`,
  }
  const shown = Object.entries(rows).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  return html`<dl>${shown}</dl>`
}

const notice = (text: string): Html => html`<p class="notice" role="status">${text}</p>`

const waiting = html`<p class="notice" role="status">Stripe has not confirmed the purchase yet. This page loads again every few seconds until it has. If it takes longer than a few minutes, no plan was bought: choose one again.</p>`

const news = ({ checkout, done }: BillingQuery, view: BillingView, isSubscribed: boolean): Html => {
  if (checkout === 'done') return isSubscribed ? notice(`You’re on the ${view.planName} plan.`) : waiting
  if (checkout === 'cancelled') return notice('Nothing was bought.')
  if (done === 'cancelled') return notice('Subscription canceled. You have access until it ends.')
  if (done === 'resumed') return notice('The subscription continues.')
  if (done !== 'changed') return nothing
  const next = planOf(view.scheduledPlan?.planId)
  return notice(next ? `${next.name} begins with the next period.` : `You’re on the ${view.planName} plan.`)
}

const manage = (view: BillingView, keys: FormKeys, isSubscribed: boolean): Html => {
  const portal = actionForm(keys, 'portal', 'Payment methods and invoices')
  if (!isSubscribed) return portal
  const end = view.cancelAtPeriodEnd
    ? actionForm(keys, 'resume', 'Resume the subscription')
    : actionForm(keys, 'cancel', 'Cancel the subscription')
  return html`${portal}${end}`
}

interface Shown {
  query: BillingQuery
  refusal?: Refusal | undefined
}

const forMember = async (
  ctx: Context,
  subject: BillingSubject,
  visitor: Visitor,
  { query, refusal }: Shown,
): Promise<Page> => {
  const { workspace, account } = subject
  const view = await viewBilling(ctx, workspace, account)
  const isSubscribed = account?.subscriptionId !== undefined
  const keys = { formKey: visitor.formKey, slug: workspace.slug }
  const canChange = isSubscribed && view.cancelAtPeriodEnd
  const body = html`${alert(refusal)}${news(query, view, isSubscribed)}${details(view)}
${canChange ? nothing : planCards(view, keys, isSubscribed)}
${account === undefined ? nothing : manage(view, keys, isSubscribed)}
${signedInAs(visitor, withQuery('/billing', { workspace: workspace.slug }))}`
  const waits = query.checkout === 'done' && !isSubscribed && refusal === undefined
  return { title: workspace.name, body, ...(waits ? { reloadSeconds } : {}) }
}

/** The page behind the `billingUrl` of a workspace: its plan, its usage, and the possible actions. */
export const showBillingPage = async (
  ctx: Context,
  visitor: Visitor | undefined,
  { query, refusal }: Shown,
): Promise<Page> => {
  const slug = query.workspace
  if (!hasProvider(ctx)) return { title, body: selfHosted(slug) }
  if (visitor === undefined) return { title, body: forNobody(slug) }
  const subject = slug === undefined ? undefined : await findSubject(ctx, slug, visitor.session.userId)
  const who = signedInAs(visitor, withQuery('/billing', { workspace: slug }))
  if (subject === undefined) return { title, body: html`${forStranger(slug)}${who}` }
  if (mayBill(subject.member)) return forMember(ctx, subject, visitor, { query, refusal })
  return {
    title: subject.workspace.name,
    body: html`<p>Only owners and admins can change the plan.</p>${toWorkspaces}${who}`,
  }
}
