import { client } from '../../../functions/client.ts'
import { random62 } from '../../../shared/ids.ts'
import type { Kit } from '../start.ts'
import { makeSession, minuteMs } from './preparations.ts'

const stripeIn = ({ service: { stripe } }: Kit) => {
  if (stripe === undefined) throw new Error('the stand-in of Stripe does not run')
  return stripe
}

/** A Stripe event about an unknown customer, with its signature. */
export const stripeEvent = (kit: Kit, customer = 'cus_other') => {
  const id = `evt_${random62(16)}`
  const data = { object: { id: 'in_1', object: 'invoice', customer } }
  return stripeIn(kit).sign({
    id,
    object: 'event',
    type: 'invoice.paid',
    api_version: '2026-10-28.endive',
    created: Math.floor(kit.clock.now() / 1000),
    livemode: false,
    data,
  })
}

/** Notifies the service of a change at Stripe. */
const sendStripeEvent = async (kit: Kit, customer: string) => {
  const { body, signature } = stripeEvent(kit, customer)
  const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature }
  await fetch(`${kit.url}/api/billing/stripe-webhook`, { method: 'POST', headers, body })
}

/** A workspace of the seed's person that has bought a plan. */
export const makeSubscriber = async (kit: Kit, card: 'good' | 'late' = 'good') => {
  const person = { baseUrl: kit.url, token: await makeSession(kit) }
  const { id: workspaceId, slug } = await client(person).workspaces.create({
    body: { name: 'Paying', timezone: 'UTC' },
  })
  const api = client({ ...person, workspaceId })
  const { url } = await api.billing.checkout({ body: { planId: 'business' } })
  await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ do: 'pay', card }) })
  for (const { id } of stripeIn(kit).books.customers.values()) await sendStripeEvent(kit, id)
  return { workspaceId, slug }
}

/** Lets a trial end whose first payment fails. */
export const failToPay = async (kit: Kit): Promise<void> => {
  await makeSubscriber(kit, 'late')
  const stripe = stripeIn(kit)
  for (const days of [11, 3]) {
    kit.clock.pass(days * 24 * 60 * minuteMs)
    stripe.tick()
    for (const { id } of stripe.books.customers.values()) await sendStripeEvent(kit, id)
  }
  await kit.service.pass(3 * minuteMs)
}
