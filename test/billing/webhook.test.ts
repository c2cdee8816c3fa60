import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { stripeSeed } from '../../infra/local/stripe/seed.ts'
import { startBilled } from './billed.ts'

const stripeEvent = (billed: Awaited<ReturnType<typeof startBilled>>, type: string) => {
  const event = billed.stripe.events().find((candidate) => candidate.type === type)
  if (event === undefined) throw new Error(`Stripe sent no ${type}`)
  return event
}

test('an event counts only with a signature of the secret over these bytes, at most five minutes old', async () => {
  const billed = await startBilled()
  const { kit, stripe, billing, pay, post, deliver, subscription } = billed
  const { url } = await billing.checkout({ body: { planId: 'team' } })
  await pay(url)
  const event = stripeEvent(billed, 'customer.subscription.created')
  const { body, signature } = stripe.sign(event)
  const refused = [
    await post(body, undefined),
    await post(body, ''),
    await post(body, 't=1,v1=00'),
    await post(body, `${signature.split(',')[0]},v1=`),
    await post(body, signature.replace(/^t=\d+/, 't=NaN')),
    await post(body, `${signature},v1`),
    await post(`${body} `, signature),
    await post(body, stripe.sign(event, 'whsec_another').signature),
  ]
  for (const answer of refused) {
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid_signature' }])
  }
  kit.clock.pass(301_000)
  expect((await post(body, signature)).status).toBe(400)
  expect(await subscription()).toMatchObject({ status: 'none', hasAccess: false })
  expect(await deliver(event)).toBe(200)
  expect(await subscription()).toMatchObject({ status: 'trialing', hasAccess: true })
})

test('a signed body that is no event gets a 400 or is ignored, and never a 500', async () => {
  const { kit, post, subscription } = await startBilled()
  const deliverText = async (payload: string) => {
    const timestamp = Math.floor(kit.clock.now() / 1000)
    const secret = stripeSeed.webhookSecret
    const answer = await post(payload, Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }))
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  expect(await deliverText('no JSON')).toEqual([400, 'invalid_json'])
  const object = { id: 'cus_1', object: 'customer' }
  for (const event of [null, [], 7, { id: 'e'.repeat(3000), data: { object } }, { object: 'v2.core.event' }]) {
    expect(await deliverText(JSON.stringify(event))).toEqual([200, undefined])
  }
  expect(await subscription()).toMatchObject({ status: 'none' })
})

test('a doubled event is handled once, also if both arrive at the same time', async () => {
  const billed = await startBilled()
  const { stripe, billing, pay, deliver, subscription } = billed
  const { url } = await billing.checkout({ body: { planId: 'team' } })
  await pay(url)
  const event = stripeEvent(billed, 'customer.subscription.created')
  expect(await Promise.all([deliver(event), deliver(event), deliver(event)])).toEqual([200, 200, 200])
  expect(await subscription()).toMatchObject({ status: 'trialing' })
  const reads = () => stripe.calls().filter(({ operation }) => operation === 'list_subscriptions').length
  const before = reads()
  expect(await deliver(event)).toBe(200)
  expect(reads()).toBe(before)
})

test('an event about another customer, or of a kind without a customer, is accepted and changes nothing', async () => {
  const { stripe, deliver, subscription } = await startBilled()
  const event = {
    id: 'evt_other',
    object: 'event' as const,
    type: 'invoice.paid',
    api_version: '2026-10-28.endive',
    created: 0,
    livemode: false as const,
    data: { object: { id: 'in_1', object: 'invoice', customer: 'cus_other' } },
  }
  expect(await deliver(event)).toBe(200)
  expect(await deliver({ ...event, id: 'evt_price', data: { object: { id: 'price_1', object: 'price' } } })).toBe(200)
  expect(await subscription()).toMatchObject({ status: 'none' })
  expect(stripe.calls()).toEqual([])
})

test('while Stripe cannot be read an event is refused, and the same event counts later', async () => {
  const billed = await startBilled()
  const { billing, pay, deliver, fail, subscription } = billed
  const { url } = await billing.checkout({ body: { planId: 'team' } })
  await pay(url)
  const event = stripeEvent(billed, 'customer.subscription.created')
  fail('list_subscriptions', 'status', { status: 500, times: 2 })
  expect(await deliver(event)).toBe(503)
  expect(await subscription()).toMatchObject({ status: 'none' })
  expect(await deliver(event)).toBe(200)
  expect(await subscription()).toMatchObject({ status: 'trialing' })
})
