import { expect } from 'vitest'
import type { StripeEvent } from '../../infra/local/stripe/model.ts'
import { stripeSeed } from '../../infra/local/stripe/seed.ts'
import { billingAccounts } from '../../shared/billing/account.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { apiOf } from '../export/exports.ts'
import { dayMs, startBilled } from './billed.ts'

type Billed = Awaited<ReturnType<typeof startBilled>>

/** The events that Stripe sends in the life of a subscription, and their moments: a failed payment is sent twice. */
const eventSpecs = [
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
export const orders: readonly (readonly number[])[] = ordersOf(eventSpecs.map((_, at) => at))

/** A workspace that has completed its checkout, and its life at Stripe from there. */
const beginLife = async ({ kit, stripe, pay }: Billed, name: string) => {
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name, timezone: 'UTC' } })
  const { url } = await apiOf(kit, workspaceId).billing.checkout({ body: { planId: 'team' } })
  const seen = stripe.events().length
  await pay(url)
  const customer = stripe.books.customers.values().at(-1)?.id ?? ''
  const subscription = () => stripe.books.subscriptions.values().find((candidate) => candidate.customer === customer)
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
  const reach = async (target: number) => {
    for (; moment < target; moment += 1) await moments[moment]?.()
    return moment
  }
  const eventOf = (at: number): StripeEvent => {
    const target = eventSpecs[at]
    const sentEvent = stripe
      .events()
      .slice(seen)
      .filter(({ type }) => type === target?.type)
      .findLast(({ data }) => {
        const { status } = data.object as { status?: string }
        return target === undefined || !('status' in target) || status === target.status
      })
    if (sentEvent === undefined) throw new Error(`Stripe sent no ${target?.type}`)
    return sentEvent
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
    const moment = await reach(eventSpecs[at]?.moment ?? 0)
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

/** Plays some orders, each with its own workspace. */
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
