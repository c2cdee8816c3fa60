import { expect, test } from 'vitest'
import { ApiError, type Client } from '../../functions/client.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { apiOf } from '../export/exports.ts'
import { Crash } from '../support/crash.ts'
import { everyNth } from '../support/thin.ts'
import { dayMs, startBilled } from './billed.ts'

interface Point {
  at: number
  side: 'before' | 'after'
}

/** Calls again while the function died, as a client and as Stripe do. */
const untilAnswered = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError && error.status >= 500) || tries === 3) throw error
    }
  }
}

/** A service whose billing functions die at one effect, and workspaces to try it with. */
const startMortal = async () => {
  let effects: string[] | undefined
  let armed: Point | undefined
  const observe: ObserveFunction = async (effect, run) => {
    if (effects === undefined || !effect.functionName.startsWith('billing-')) return run()
    const at = effects.push(`${effect.service} ${effect.action}`) - 1
    if (armed?.at !== at) return run()
    if (armed.side === 'after') await run()
    throw new Crash(`${armed.side} effect ${at}`)
  }
  const rateLimits = { general: null, auth: null, cli: null, ai: null, provider: null }
  const billed = await startBilled({ observe, rateLimits, keepExpired: true })
  const { kit, stripe, pay, deliver } = billed
  const startMs = kit.clock.now()
  /** A new workspace; its life begins at the same moment as those before it. */
  const open = async () => {
    kit.clock.set(startMs)
    const { id } = await kit.sessionApi.workspaces.create({ body: { name: 'Mortal', timezone: 'UTC' } })
    const api = apiOf(kit, id)
    const customers = () => stripe.books.customers.values().filter(({ metadata }) => metadata['workspaceId'] === id)
    const isMine = ({ customer }: { customer: string }) => customers().some((candidate) => candidate.id === customer)
    const subscriptions = () => stripe.books.subscriptions.values().filter(isMine)
    const charged = () =>
      stripe
        .charges()
        .filter(isMine)
        .map(({ amount }) => amount)
    const sessions = () => stripe.books.sessions.values().filter(isMine)
    /** Stripe sends an event again until it is answered with 200. */
    const deliverFrom = async (seen: number) => {
      for (const event of stripe.events().slice(seen)) {
        for (let tries = 0; (await deliver(event)) !== 200; tries += 1) expect(tries).toBeLessThan(3)
      }
    }
    /** An active subscription, if the card pays. */
    const subscribe = async (planId: 'team' | 'business', card: 'good' | 'late' = 'good') => {
      const seen = stripe.events().length
      await pay((await api.billing.checkout({ body: { planId } })).url, card)
      kit.clock.pass(14 * dayMs)
      stripe.tick()
      return seen
    }
    return { api, customers, subscriptions, charged, sessions, deliverFrom, subscribe }
  }
  type Opened = Awaited<ReturnType<typeof open>>
  /** Runs something with a death at every effect of the billing functions; returns how many there were. */
  const dieEverywhere = async (
    act: (opened: Opened, mortal: <T>(run: () => Promise<T>) => Promise<T>) => Promise<void>,
  ) => {
    const once = async (point?: Point) => {
      const done: string[] = []
      const mortal = async <T>(run: () => Promise<T>): Promise<T> => {
        effects = done
        armed = point
        try {
          return await run()
        } finally {
          effects = undefined
        }
      }
      try {
        await act(await open(), mortal)
      } catch (error) {
        throw new Error(`${point?.side} effect ${point?.at}: ${point ? whole[point.at] : ''}`, { cause: error })
      }
      return done
    }
    let whole: string[] = []
    whole = await once()
    const points = (['before', 'after'] as const).flatMap((side) => [...whole.keys()].map((at) => ({ at, side })))
    for (const point of everyNth(5, points)) await once(point)
    return whole
  }
  return { ...billed, dieEverywhere }
}

const changePlan = (api: Client, planId: 'team' | 'business' | 'starter') => () =>
  api.billing.change({ body: { planId } })

test('a checkout that dies at any effect is repeated with one customer, one page, and one subscription', async () => {
  const { dieEverywhere, pay, stripe } = await startMortal()
  const effects = await dieEverywhere(async ({ api, customers, sessions, subscriptions, deliverFrom }, mortal) => {
    const seen = stripe.events().length
    const call = () => api.billing.checkout({ body: { planId: 'team' }, idempotencyKey: 'one' })
    const { url } = await mortal(() => untilAnswered(call))
    expect(customers()).toHaveLength(1)
    expect(sessions().map((session) => session.url)).toEqual([url])
    await pay(url)
    await deliverFrom(seen)
    expect(subscriptions()).toMatchObject([{ status: 'trialing' }])
    expect(await api.billing.get()).toMatchObject({ status: 'trialing', planId: 'team' })
  })
  expect(effects).toContain('stripe POST /v1/checkout/sessions')
}, 240_000)

test('an event whose handling dies at any effect is stored and reported once when Stripe sends it again', async () => {
  const { dieEverywhere, kit } = await startMortal()
  const effects = await dieEverywhere(async ({ api, deliverFrom, subscribe }, mortal) => {
    const seen = await subscribe('team', 'late')
    await mortal(() => deliverFrom(seen))
    await deliverFrom(seen)
    // The log holds events back for a while.
    kit.clock.pass(3 * minuteMs)
    const { items } = await api.webhooks.listEventLog()
    expect(items.map(({ type }) => type)).toEqual(['workspace.payment_failed'])
    expect(await api.billing.get()).toMatchObject({ status: 'past_due', planId: 'team' })
  })
  expect(effects).toContain('dynamodb TransactWriteItems')
}, 240_000)

test('an upgrade that dies at any effect is charged once', async () => {
  const { dieEverywhere } = await startMortal()
  const effects = await dieEverywhere(async ({ api, charged, deliverFrom, subscribe }, mortal) => {
    await deliverFrom(await subscribe('team'))
    expect(await mortal(() => untilAnswered(changePlan(api, 'business')))).toMatchObject({ planId: 'business' })
    expect(await api.billing.get()).toMatchObject({ planId: 'business', status: 'active' })
    expect(charged()).toEqual([4_900, 10_000])
  })
  expect(effects).toContain('stripe POST /v1/subscriptions/{id}')
}, 240_000)

test('a downgrade, a cancellation, and its end that die at any effect take effect once, and charge nothing', async () => {
  const { dieEverywhere, stripe } = await startMortal()
  const effects = await dieEverywhere(async ({ api, charged, subscriptions, deliverFrom, subscribe }, mortal) => {
    await deliverFrom(await subscribe('business'))
    const scheduledPlan = { planId: 'starter' }
    expect(await mortal(() => untilAnswered(changePlan(api, 'starter')))).toMatchObject({ scheduledPlan })
    const [subscription] = subscriptions()
    const schedules = stripe.books.schedules.values().filter((schedule) => schedule.subscription === subscription?.id)
    expect(schedules).toMatchObject([{ status: 'active', phases: [{}, {}] }])
    expect(charged()).toEqual([14_900])
  })
  expect(effects).toContain('stripe POST /v1/subscription_schedules')
  await dieEverywhere(async ({ api, charged, deliverFrom, subscribe }, mortal) => {
    await deliverFrom(await subscribe('team'))
    expect(await mortal(() => untilAnswered(() => api.billing.cancel()))).toMatchObject({ cancelAtPeriodEnd: true })
    expect(await mortal(() => untilAnswered(() => api.billing.resume()))).toMatchObject({ cancelAtPeriodEnd: false })
    expect(await mortal(() => untilAnswered(() => api.billing.portal()))).toMatchObject({ url: expect.any(String) })
    expect(await api.billing.get()).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
    expect(charged()).toEqual([4_900])
  })
}, 240_000)
