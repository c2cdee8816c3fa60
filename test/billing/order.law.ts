import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StripeEvent } from '../../infra/local/stripe/model.ts'
import { stripeSeed } from '../../infra/local/stripe/seed.ts'
import { dayMs, startBilled } from './billed.ts'

type Billed = Awaited<ReturnType<typeof startBilled>>

/** What happens in the life of a subscription, at Stripe and by its owner. */
const chapters: readonly ((billed: Billed) => Promise<unknown>)[] = [
  async ({ billing, pay }) => pay((await billing.checkout({ body: { planId: 'team' } })).url),
  ({ wait }) => wait(14 * dayMs),
  ({ billing }) => billing.change({ body: { planId: 'business' } }),
  ({ billing }) => billing.change({ body: { planId: 'starter' } }),
  ({ wait }) => wait(31 * dayMs),
  ({ setCard }) => setCard('break'),
  ({ wait }) => wait(28 * dayMs),
  ({ setCard }) => setCard('fix'),
  ({ billing }) => billing.cancel(),
  ({ wait }) => wait(31 * dayMs),
  async ({ billing, pay }) => pay((await billing.checkout({ body: { planId: 'business' } })).url, 'good'),
]

/** The state that must be stored, from what Stripe knows. */
const truthOf = ({ stripe }: Billed) => {
  const live = stripe.books.subscriptions.values().find(({ status }) => status !== 'canceled')
  return {
    status: live?.status ?? 'canceled',
    planName: live ? stripeSeed.prices[live.price]?.name : null,
    cancelAtPeriodEnd: live?.cancel_at_period_end ?? false,
    hasAccess: live !== undefined,
  }
}

/** How events are delivered after a chapter: in which order, which of them twice, and which are forged. */
const Delivery = fc.record({
  order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  twice: fc.array(fc.nat(30), { maxLength: 8 }),
  forged: fc.array(fc.nat(30), { maxLength: 4 }),
  late: fc.nat(chapters.length),
})

const shuffled = (events: readonly StripeEvent[], order: readonly number[]): StripeEvent[] =>
  events
    .map((event, at) => ({ event, position: order[at % order.length] ?? 0 }))
    .sort((a, b) => a.position - b.position)
    .map(({ event }) => event)

test('events in any order, doubled, forged, late, and concurrent end in the state that Stripe has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Delivery, { minLength: chapters.length, maxLength: chapters.length }), async (plan) => {
      const billed = await startBilled()
      const { stripe, deliver, kit, subscription } = billed
      let seen = 0
      let stripeEvents: StripeEvent[] = []
      for (const [n, chapter] of chapters.entries()) {
        await chapter(billed)
        const { order, twice, forged, late } = plan[n] ?? { order: [0], twice: [], forged: [], late: 0 }
        const fresh = stripe.events().slice(seen)
        seen = stripe.events().length
        // Some events stay on their way until a later chapter; the last chapter delivers all of them.
        const isLast = n === chapters.length - 1
        const all = [...stripeEvents, ...fresh]
        stripeEvents = isLast ? [] : all.filter((_, at) => at % (late + 2) === late)
        const sent = all.filter((event) => !stripeEvents.includes(event))
        const again = twice.flatMap((at) => sent[at] ?? [])
        for (const at of forged) {
          const event = all[at]
          if (event) expect(await deliver(event, 'whsec_forged')).toBe(400)
        }
        const statuses = await Promise.all(shuffled([...sent, ...again], order).map((event) => deliver(event)))
        expect(statuses.filter((status) => status !== 200)).toEqual([])
        if (stripeEvents.length === 0 && sent.length > 0) expect(await subscription()).toMatchObject(truthOf(billed))
      }
      expect(await subscription()).toMatchObject(truthOf(billed))
      await kit.close()
    }),
    { numRuns: 4, seed: 16 },
  )
}, 300_000)
