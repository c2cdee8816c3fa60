import { expect } from 'vitest'
import type { StripeEvent } from '../../infra/local/stripe/model.ts'
import { stripeSeed } from '../../infra/local/stripe/seed.ts'
import { billingAccounts } from '../../shared/billing/account.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { apiOf } from '../export/exports.ts'
import { dayMs, startBilled } from './billed.ts'

type Billed = Awaited<ReturnType<typeof startBilled>>

/** What Stripe tells in the life of a subscription, and the moment at which it does: a failed payment is told twice. */
const told = [
  { type: 'customer.subscription.created', moment: 0 },
  { type: 'customer.subscription.updated', status: 'active', moment: 1 },
  { type: 'invoice.payment_failed', moment: 2 },
  { type: 'customer.subscription.updated', status: 'past_due', moment: 2 },
  { type: 'invoice.paid', moment: 3 },
  { type: 'customer.subscription.deleted', moment: 4 },
] as const

const pastDue = 2

/** Every order of some items. */
const ordersOf = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) => ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))

/** All orders in which the events can arrive. */
export const orders: readonly (readonly number[])[] = ordersOf(told.map((_, at) => at))

/** A workspace that has completed its checkout, and its life at Stripe from there. */
const beginLife = async ({ kit, stripe, pay }: Billed, name: string) => {
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name, timezone: 'UTC' } })
  const { url } = await apiOf(kit, workspaceId).billing.checkout({ body: { planId: 'team' } })
  const seen = stripe.events().length
  await pay(url)
  const customer = stripe.books.customers.values().at(-1)?.id ?? ''
  const subscription = () => stripe.books.subscriptions.values().find((one) => one.customer === customer)
  const setCard = (action: 'fix' | 'break') =>
    fetch(`${stripe.url}/portal/${customer}`, { method: 'POST', body: new URLSearchParams({ do: action }) })
  const wait = (days: number) => {
    kit.clock.pass(days * dayMs)
    stripe.tick()
  }
  const moments = [
    async () => wait(14),
    async () => {
      await setCard('break')
      wait(31)
    },
    async () => setCard('fix'),
    async () =>
      fetch(`${stripe.url}/v1/subscriptions/${subscription()?.id}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${stripeSeed.apiKey}` },
      }),
  ]
  let moment = 0
  /** Lets Stripe live on to a moment. */
  const reach = async (wanted: number) => {
    for (; moment < wanted; moment += 1) await moments[moment]?.()
    return moment
  }
  const eventOf = (at: number): StripeEvent => {
    const wanted = told[at]
    const found = stripe
      .events()
      .slice(seen)
      .filter(({ type }) => type === wanted?.type)
      .findLast(({ data }) => {
        const { status } = data.object as { status?: string }
        return wanted === undefined || !('status' in wanted) || status === wanted.status
      })
    if (found === undefined) throw new Error(`Stripe told no ${wanted?.type}`)
    return found
  }
  const truth = () => {
    const live = subscription()
    const isLive = live !== undefined && live.status !== 'canceled'
    return {
      status: live?.status,
      planName: isLive ? stripeSeed.prices[live.price]?.name : null,
      hasAccess: isLive,
      ...(isLive ? { currentPeriodEnd: new Date(live.periodEnd * 1000).toISOString() } : {}),
    }
  }
  return { workspaceId, reach, eventOf, truth }
}

/** Delivers the events of a life in an order, each forged first, then doubled, and once more at the end. */
const play = async (billed: Billed, order: readonly number[]) => {
  const { kit, deliver } = billed
  const { workspaceId, reach, eventOf, truth } = await beginLife(billed, `Order ${order.join('')}`)
  const stored = async () => {
    const account = await billingAccounts.get(kit.ctx, { workspaceId })
    const workspace = await workspaces.get(kit.ctx, { id: workspaceId })
    return { version: account?.version, eventCount: account?.eventCount, subscription: workspace?.subscription }
  }
  const sent: StripeEvent[] = []
  let reports = 0
  for (const at of order) {
    const moment = await reach(told[at]?.moment ?? 0)
    const event = eventOf(at)
    const before = await stored()
    expect(await deliver(event, 'whsec_forged')).toBe(400)
    expect(await stored()).toEqual(before)
    expect(await Promise.all([deliver(event), deliver(event)])).toEqual([200, 200])
    if (moment === pastDue) reports = 1
    expect({ order, at, ...(await stored()) }).toMatchObject({
      order,
      at,
      version: (before.version ?? 0) + 1,
      eventCount: reports,
      subscription: truth(),
    })
    sent.push(event)
  }
  const last = await stored()
  for (const event of sent) expect(await deliver(event)).toBe(200)
  expect(await stored()).toEqual(last)
  expect(last.subscription).toEqual({ status: 'canceled', planName: null, hasAccess: false })
}

/** Plays some orders, each with a workspace of its own. */
export const playAll = async (some: readonly (readonly number[])[]): Promise<void> => {
  const rateLimits = { general: null, auth: null, cli: null, ai: null, provider: null }
  const billed = await startBilled({ keepExpired: true, rateLimits })
  const startMs = billed.kit.clock.now()
  for (const order of some) {
    // Every life begins within the session of the seed.
    billed.kit.clock.set(startMs)
    await play(billed, order)
  }
  // A month of each was paid, after its trial, and the month that was paid late.
  expect(billed.stripe.charges().map(({ amount }) => amount)).toEqual(some.flatMap(() => [4_900, 4_900]))
}
