import { type Client, client } from '../../functions/client.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import type { StripeEvent } from '../../infra/local/stripe/model.ts'
import { openSession } from '../../shared/identity/open-session.ts'
import { type StartOptions, start } from '../support/start.ts'

export const dayMs = 86_400_000

/** A service that sells plans, and what a test does at Stripe. */
export const startBilled = async (options: StartOptions = {}) => {
  const kit = await start({ ...options, billing: 'unpaid' })
  const { stripe } = kit.service
  if (stripe === undefined) throw new Error('the stand-in of Stripe does not run')
  let delivered = 0
  let session = kit.sessionApi
  /** The API with a session that has not expired. */
  const me = () => session
  type Billing = Client['billing']
  const billing = {
    get: () => session.billing.get(),
    portal: () => session.billing.portal(),
    cancel: () => session.billing.cancel(),
    resume: () => session.billing.resume(),
    checkout: (input: Parameters<Billing['checkout']>[0]) => session.billing.checkout(input),
    change: (input: Parameters<Billing['change']>[0]) => session.billing.change(input),
  }

  /** A session lasts for 30 days, a subscription for longer. */
  const signInAgain = async () => {
    const { id: userId, email, name } = kit.user
    const { token } = await openSession(kit.ctx, { userId, email, name, userAgent: 'test' })
    session = client({ baseUrl: kit.url, workspaceId: kit.workspaceId, token })
  }

  const post = (body: string, signature: string | undefined) =>
    fetch(`${kit.url}/api/billing/stripe-webhook`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(signature ? { 'Stripe-Signature': signature } : {}) },
      body,
    })

  /** Sends an event as Stripe does; returns the status. */
  const deliver = async (event: StripeEvent, secret?: string): Promise<number> => {
    const { body, signature } = stripe.sign(event, secret)
    return (await post(body, signature)).status
  }

  /** Sends every event that was not sent yet. */
  const deliverAll = async (): Promise<void> => {
    for (const event of stripe.events().slice(delivered)) {
      const status = await deliver(event)
      if (status !== 200) throw new Error(`${event.type} was answered with ${status}`)
      delivered += 1
    }
  }

  /** Completes a checkout page with a card. */
  const pay = (url: string, card: 'good' | 'late' | 'bad' = 'good') =>
    fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ do: 'pay', card }) })

  /** Changes the card in the portal, which pays what is open. */
  const setCard = async (action: 'fix' | 'break') => {
    const { url } = await billing.portal()
    await fetch(url, { method: 'POST', body: new URLSearchParams({ do: action }) })
  }

  const subscribe = async (planId: 'starter' | 'team' | 'business', card: 'good' | 'late' = 'good') => {
    const { url } = await billing.checkout({ body: { planId } })
    await pay(url, card)
    await deliverAll()
  }

  /** Moves the time on: Stripe does what is due. */
  const wait = async (ms: number) => {
    kit.clock.pass(ms)
    stripe.tick()
    await signInAgain()
  }

  /** The same, and its events arrive. */
  const pass = async (ms: number) => {
    await wait(ms)
    await deliverAll()
  }

  const fail = (operation: string, fault: FaultInput['fault'], more: Partial<FaultInput> = {}) =>
    stripe.faults.add({ platform: 'stripe', operation, fault, times: 1, ...more })

  const subscription = async () => {
    const { subscription } = await session.workspaces.get({ params: { id: kit.workspaceId } })
    return subscription
  }

  return {
    kit,
    me,
    signInAgain,
    stripe,
    billing,
    post,
    deliver,
    deliverAll,
    pay,
    setCard,
    subscribe,
    wait,
    pass,
    fail,
    subscription,
  }
}
