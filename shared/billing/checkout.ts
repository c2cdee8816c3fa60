import type Stripe from 'stripe'
import type * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { sweepAt } from '../db/sweep-at.ts'
import { type Plan, type PlanId, planOf } from '../plans/plans.ts'
import { priceOf } from '../plans/provider.ts'
import { hourMs, minuteMs } from '../time.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type BillingAccount, billingAccounts } from './account.ts'
import { linkCustomer, stripeKey } from './link-customer.ts'
import { readSubscription } from './read-subscription.ts'
import { alreadySubscribed, assertProvider, changedMeanwhile, planNotForSale } from './refuse.ts'
import type { StripePage } from './requests.ts'
import { stripeOf } from './stripe/client.ts'
import { orRefuse } from './stripe/refuse.ts'

/** A page that expires sooner is not offered again. */
const leastLeftMs = 10 * minuteMs

/** Stripe expires a page after at least 30 minutes. Rounded, so that a repeat within the hour sends the same value. */
const expiryAfter = (nowMs: number) => Math.ceil(nowMs / hourMs) * hourMs + hourMs

const paramsOf = (
  ctx: Context,
  workspace: Workspace,
  account: BillingAccount,
  { plan, price }: { plan: Plan; price: string },
) => {
  const metadata = { workspaceId: workspace.id }
  const page = `${ctx.env('BASE_URL')}/billing?workspace=${encodeURIComponent(workspace.slug)}`
  const trial = account.hadSubscription || plan.trialDays === 0 ? {} : { trial_period_days: plan.trialDays }
  return {
    mode: 'subscription',
    customer: account.customerId,
    client_reference_id: workspace.id,
    line_items: [{ price, quantity: 1 }],
    subscription_data: { metadata, ...trial },
    success_url: `${page}&checkout=done`,
    cancel_url: `${page}&checkout=cancelled`,
    expires_at: expiryAfter(ctx.clock.now()) / 1000,
  } satisfies Stripe.Checkout.SessionCreateParams
}

/** Whether a page can still be completed. Throws if it was completed. */
const isOpen = (ctx: Context, sessionId: string): Promise<boolean> =>
  orRefuse(ctx, async () => {
    const stripe = await stripeOf(ctx)
    const { status } = await stripe.checkout.sessions.retrieve(sessionId)
    if (status === 'complete') throw alreadySubscribed()
    return status === 'open'
  })

/** Expires an open checkout page, so that a person cannot complete two. Throws if it was completed in the meantime. */
const closePage = async (ctx: Context, sessionId: string): Promise<void> => {
  if (!(await isOpen(ctx, sessionId))) return
  await orRefuse(ctx, async () => (await stripeOf(ctx)).checkout.sessions.expire(sessionId))
}

const openPage = (ctx: Context, { workspaceId, version }: BillingAccount, params: ReturnType<typeof paramsOf>) =>
  orRefuse(ctx, async () => {
    const stripe = await stripeOf(ctx)
    const key = stripeKey('checkout', workspaceId, version, params)
    const { id, url } = await stripe.checkout.sessions.create(params, key)
    return { sessionId: id, url: url ?? '' }
  })

interface CheckoutRequest {
  workspace: Workspace
  account: BillingAccount | undefined
  planId: PlanId
  /** The address that Stripe sends its receipts to. */
  email: string
  actor: Actor
}

/**
 * Opens a Stripe page on which a plan is bought. Nothing is charged before it is completed. A workspace has one open page:
 * another request for the same plan returns it, another plan closes it.
 */
export const startCheckout = async (
  ctx: Context,
  { workspace, account: known, planId, email, actor }: CheckoutRequest,
): Promise<z.infer<typeof StripePage>> => {
  assertProvider(ctx)
  const [plan, price] = [planOf(planId), priceOf(ctx, planId)]
  if (plan === undefined || price === undefined) throw planNotForSale()
  const linked = await linkCustomer(ctx, workspace, known, email)
  // An event can be in flight: Stripe knows.
  const { snapshot, hasEnded } = known ? await readSubscription(ctx, linked) : { snapshot: undefined, hasEnded: false }
  if (snapshot !== undefined) throw alreadySubscribed()
  const account = { ...linked, hadSubscription: linked.hadSubscription || hasEnded }
  const nowMs = ctx.clock.now()
  const open = account.checkout
  const isSamePlan = open?.planId === planId && open.expiresAtMs > nowMs + leastLeftMs
  const isSame = isSamePlan && (await isOpen(ctx, open.sessionId))
  if (open !== undefined && !isSamePlan) await closePage(ctx, open.sessionId)
  const params = paramsOf(ctx, workspace, account, { plan, price })
  const page = isSame ? open : await openPage(ctx, account, params)
  const answer = { url: page.url }
  const checkout = { sessionId: page.sessionId, planId, url: page.url, expiresAtMs: params.expires_at * 1000 }
  const next = { ...account, version: account.version + 1, checkout: isSame ? open : checkout }
  const target = { type: 'workspace', id: workspace.id } as const
  const written = commit(ctx, workspace, {
    writes: [
      {
        put: { ...billingAccounts.item(next), ...sweepAt(account.id, nowMs + 5 * minuteMs) },
        when: equal('version', account.version),
      },
    ],
    audit: { by: actor, action: 'billing.checkout_started', target, after: { planId } },
    response: { data: answer },
  })
  if (await wasCurrent(written)) return answer
  // Two concurrent requests get the same checkout page from Stripe, by the same key. It also belongs to the faster one.
  const current = await billingAccounts.get(ctx, account)
  if (current?.checkout?.sessionId === page.sessionId) return answer
  if (!isSame) await closePage(ctx, page.sessionId)
  throw changedMeanwhile()
}
