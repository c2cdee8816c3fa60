import { expect, test } from 'vitest'
import { dayMs, startBilled } from './billed.ts'

/** The events of the log about the workspace, oldest first. */
const eventsFor = async ({ me }: Awaited<ReturnType<typeof startBilled>>) => {
  const { items } = await me().webhooks.listEventLog()
  return items.map(({ type, data }) => ({ type, ...data }))
}

test('the end of a trial and a failed payment are each reported once, in order, however often Stripe says so', async () => {
  const billed = await startBilled()
  const { kit, stripe, subscribe, pass, deliver } = billed
  await subscribe('team', 'late')
  await pass(10 * dayMs)
  expect(await eventsFor(billed)).toEqual([])
  await pass(1 * dayMs)
  await pass(3 * dayMs)
  for (const event of stripe.events()) await deliver(event)
  await pass(3 * dayMs)
  await kit.service.pass(3 * 60_000)
  const billingUrl = (await billed.subscription()).billingUrl
  expect(await eventsFor(billed)).toMatchObject([
    {
      type: 'workspace.trial_ending',
      planName: 'Team',
      trialEndsAt: '2030-01-15T12:00:00.000Z',
      cancelAtPeriodEnd: false,
      billingUrl,
      sequence: 1,
      previousEventId: null,
    },
    {
      type: 'workspace.payment_failed',
      planName: 'Team',
      amountDueCents: 4_900,
      currency: 'usd',
      nextAttemptAt: '2030-01-18T12:00:00.000Z',
      accessEndsAt: '2030-01-22T12:00:00.000Z',
      billingUrl,
      sequence: 2,
      previousEventId: expect.stringMatching(/^evt_/),
    },
  ])
})

test('without any event of Stripe, the sweeper reads the state: the trial is reported, paid, and ended', async () => {
  const billed = await startBilled()
  const { kit, stripe, billing, pay, subscription, signInAgain } = billed
  const { url } = await billing.checkout({ body: { planId: 'team' } })
  await pay(url, 'late')
  expect(await subscription()).toMatchObject({ status: 'none' })
  const sweepFor = async (ms: number) => {
    // The sweeper runs every minute: most of the time is skipped.
    kit.clock.pass(ms)
    stripe.tick()
    await kit.service.pass(6 * 60_000)
    await signInAgain()
  }
  await sweepFor(5 * 60_000)
  expect(await subscription()).toMatchObject({ status: 'trialing' })
  await sweepFor(11 * dayMs)
  expect((await eventsFor(billed)).map(({ type }) => type)).toEqual(['workspace.trial_ending'])
  await sweepFor(3 * dayMs)
  expect(await subscription()).toMatchObject({ status: 'past_due' })
  expect((await eventsFor(billed)).map(({ type }) => type)).toContain('workspace.payment_failed')
  for (let n = 0; n < 3; n += 1) await sweepFor(3 * dayMs)
  expect(await subscription()).toMatchObject({ status: 'canceled', hasAccess: false })
})

test('a deleted workspace is no longer billed: its customer is deleted at Stripe, also if Stripe is down at first', async () => {
  const { kit, stripe, subscribe, fail } = await startBilled()
  await subscribe('team')
  fail('delete_customer', 'status', { times: 6, status: 500 })
  const { slug = '' } = (await kit.sessionApi.workspaces.list())[0] ?? {}
  await kit.sessionApi.workspaces.delete({ params: { id: kit.workspaceId }, query: { confirm: slug } })
  await kit.service.pass(60_000)
  expect(stripe.books.subscriptions.values()).toMatchObject([{ status: 'trialing' }])
  await kit.service.pass(20 * 60_000)
  expect(stripe.books.subscriptions.values()).toMatchObject([{ status: 'canceled' }])
  expect(stripe.books.customers.values()).toMatchObject([{ deleted: true }])
  kit.clock.pass(20 * dayMs)
  stripe.tick()
  expect(stripe.charges()).toEqual([])
})

test('a checkout page that is completed after the workspace was deleted ends immediately', async () => {
  const { kit, stripe, billing, pay, deliverAll } = await startBilled()
  const { url } = await billing.checkout({ body: { planId: 'team' } })
  const { slug = '' } = (await kit.sessionApi.workspaces.list())[0] ?? {}
  await kit.sessionApi.workspaces.delete({ params: { id: kit.workspaceId }, query: { confirm: slug } })
  await pay(url)
  await deliverAll()
  expect(stripe.books.subscriptions.values()).toMatchObject([{ status: 'canceled' }])
})
