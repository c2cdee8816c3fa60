import { expect, test } from 'vitest'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { refusalOf } from '../api/answers.ts'
import { everyNth } from '../support/thin.ts'
import { dayMs, startBilled } from './billed.ts'

/** Ways in which an answer of Stripe is no answer; each is met by the call and by its retry. */
const troubles: readonly [name: string, fault: FaultInput['fault'], more: Partial<FaultInput>][] = [
  ['500', 'status', { status: 500 }],
  ['500 after the effect', 'status', { status: 500, landed: true }],
  ['429', 'rate_limited', {}],
  ['a page of HTML', 'html_503', {}],
  ['a connection that is cut before', 'reset_before', {}],
  ['a connection that is cut after the effect', 'landed_then_reset', {}],
  ['JSON that is cut', 'truncated_json', {}],
  ['no response', 'hang', {}],
  ['no answer after the effect', 'hang', { landed: true }],
  ['a huge answer', 'wrong_json', { body: { object: 'list', data: 'x'.repeat(3_000_000) } }],
]

test.each(everyNth(3, troubles))(
  'a checkout that meets %s is refused, and its repeat opens one page',
  async (_name, fault, more) => {
    const { stripe, billing, fail, pay, deliverAll, subscription } = await startBilled()
    for (const operation of ['create_customer', 'create_session']) {
      fail(operation, fault, { ...more, times: 2 })
      expect(await refusalOf(billing.checkout({ body: { planId: 'team' } }))).toMatchObject({
        status: 503,
        code: 'billing_unavailable',
      })
      stripe.faults.clear()
    }
    const { url } = await billing.checkout({ body: { planId: 'team' } })
    expect((await billing.checkout({ body: { planId: 'team' } })).url).toBe(url)
    expect(stripe.books.sessions.values().filter(({ status }) => status === 'open')).toHaveLength(1)
    expect(stripe.books.customers.values()).toHaveLength(1)
    await pay(url)
    await deliverAll()
    expect(await subscription()).toMatchObject({ status: 'trialing' })
  },
  60_000,
)

test.each(everyNth(3, troubles))(
  'an upgrade that meets %s charges once, however often it is repeated',
  async (_name, fault, more) => {
    const { stripe, billing, fail, subscribe, pass } = await startBilled()
    await subscribe('team')
    await pass(14 * dayMs)
    fail('update_subscription', fault, { ...more, times: 2 })
    expect(await refusalOf(billing.change({ body: { planId: 'business' } }))).toMatchObject({
      status: 503,
      code: 'billing_unavailable',
    })
    stripe.faults.clear()
    for (const _ of [1, 2]) {
      expect(await billing.change({ body: { planId: 'business' } })).toMatchObject({ planId: 'business' })
    }
    expect(stripe.charges().map(({ amount }) => amount)).toEqual([4_900, 10_000])
  },
  60_000,
)

test('a declined upgrade changes nothing, and works after the card was replaced', async () => {
  const { stripe, billing, subscribe, pass, setCard } = await startBilled()
  await subscribe('team')
  await pass(14 * dayMs)
  await setCard('break')
  expect(await refusalOf(billing.change({ body: { planId: 'business' } }))).toMatchObject({
    status: 402,
    code: 'payment_failed',
    error: expect.stringContaining('Your card was declined.'),
  })
  expect(await billing.get()).toMatchObject({ planId: 'team', status: 'active' })
  await setCard('fix')
  expect(await billing.change({ body: { planId: 'business' } })).toMatchObject({ planId: 'business' })
  expect(stripe.charges().map(({ amount }) => amount)).toEqual([4_900, 10_000])
})

test('two checkout pages for one workspace never become two subscriptions', async () => {
  const { stripe, billing, pay, deliverAll, subscription } = await startBilled()
  const first = await billing.checkout({ body: { planId: 'team' } })
  const second = await billing.checkout({ body: { planId: 'business' } })
  expect(stripe.books.sessions.values().map(({ status }) => status)).toEqual(['expired', 'open'])
  await pay(first.url)
  await pay(second.url)
  await deliverAll()
  expect(await subscription()).toMatchObject({ planName: 'Business' })
  expect(await refusalOf(billing.checkout({ body: { planId: 'team' } }))).toMatchObject({
    status: 409,
    code: 'already_subscribed',
  })
})

test('parallel checkouts open one page, and the subscription of a second one is cancelled and credited', async () => {
  const { stripe, billing, pay, deliverAll } = await startBilled()
  const answers = await Promise.allSettled(
    (['team', 'business', 'starter'] as const).map((planId) => billing.checkout({ body: { planId } })),
  )
  const urls = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.url] : []))
  expect(urls).toHaveLength(1)
  expect(stripe.books.sessions.values().filter(({ status }) => status === 'open')).toHaveLength(1)
  await pay(urls[0] ?? '')
  await deliverAll()
  expect(stripe.books.subscriptions.values().map(({ status }) => status)).toEqual(['trialing'])
})

test('a double click on buy opens one page, which both requests and a later one lead to', async () => {
  const { stripe, billing, pay, deliverAll, subscription } = await startBilled()
  const buy = () => billing.checkout({ body: { planId: 'team' } })
  const twice = await Promise.allSettled([buy(), buy()])
  const later = await buy()
  const urls = twice.flatMap((result) => (result.status === 'fulfilled' ? [result.value.url] : []))
  expect(urls.length).toBeGreaterThan(0)
  expect(new Set([...urls, later.url]).size).toBe(1)
  expect(stripe.books.sessions.values().filter(({ status }) => status === 'open')).toHaveLength(1)
  await pay(later.url)
  await deliverAll()
  expect(await subscription()).toMatchObject({ status: 'trialing', planName: 'Team' })
})

test('a page that was closed at Stripe is not offered again', async () => {
  const { stripe, billing, pay, deliverAll, subscription } = await startBilled()
  const buy = () => billing.checkout({ body: { planId: 'team' } })
  const first = await buy()
  const [session] = stripe.books.sessions.values()
  if (session !== undefined) stripe.books.sessions.set(session.id, { ...session, status: 'expired' })
  const second = await buy()
  expect(second.url).not.toBe(first.url)
  await pay(second.url)
  await deliverAll()
  expect(await subscription()).toMatchObject({ status: 'trialing' })
})

test('a repeat with the same Idempotency-Key gets the same page', async () => {
  const { billing, stripe, kit } = await startBilled()
  const checkout = () => kit.sessionApi.billing.checkout({ body: { planId: 'team' }, idempotencyKey: 'one' })
  expect(await checkout()).toEqual(await checkout())
  expect(stripe.calls().filter(({ operation }) => operation === 'create_session')).toHaveLength(1)
  expect(await billing.get()).toMatchObject({ status: 'none' })
})
