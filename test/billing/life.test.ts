import { expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { refusalOf, statusOf } from '../api/answers.ts'
import { dayMs, startBilled } from './billed.ts'

test('a trial begins with a completed checkout, becomes paid, and is charged once a month', async () => {
  const { kit, stripe, billing, pay, pass, deliverAll } = await startBilled()
  expect(await refusalOf(kit.sessionApi.posts.list())).toMatchObject({
    status: 402,
    code: 'subscription_required',
    subscriptionStatus: 'none',
  })
  const { url } = await billing.checkout({ body: { planId: 'team' } })
  expect(await statusOf(kit.sessionApi.posts.list())).toBe(402)
  const answer = await pay(url)
  expect(answer.headers.get('location')).toMatch(/\/billing\?workspace=.*&checkout=done$/)
  await deliverAll()
  expect(await billing.get()).toMatchObject({
    provider: 'stripe',
    planId: 'team',
    planName: 'Team',
    status: 'trialing',
    hasAccess: true,
    trialEndsAt: '2030-01-15T12:00:00.000Z',
    seats: { used: 1, limit: 10 },
    webhookEndpoints: { used: 0, limit: 5 },
    aiBudget: { limitMicroUsd: 10_000_000 },
    xMonthlyCap: 500,
  })
  expect(await statusOf(kit.sessionApi.posts.list())).toBe(200)
  expect(stripe.charges()).toEqual([])
  await pass(14 * dayMs)
  expect(await billing.get()).toMatchObject({ status: 'active', trialEndsAt: null })
  await pass(31 * dayMs)
  await pass(28 * dayMs)
  expect(stripe.charges().map(({ amount }) => amount)).toEqual([4_900, 4_900, 4_900])
})

test('an upgrade takes effect immediately for the difference; a downgrade with the next period', async () => {
  const { stripe, billing, subscribe, pass, deliverAll } = await startBilled()
  await subscribe('team')
  await pass(14 * dayMs)
  expect(await billing.change({ body: { planId: 'business' } })).toMatchObject({
    planId: 'business',
    xMonthlyCap: 2_000,
    scheduledPlan: null,
  })
  expect(stripe.charges().map(({ amount }) => amount)).toEqual([4_900, 10_000])
  expect(await billing.change({ body: { planId: 'business' } })).toMatchObject({ planId: 'business' })
  expect(await billing.change({ body: { planId: 'starter' } })).toMatchObject({
    planId: 'business',
    scheduledPlan: { planId: 'starter', startsAt: '2030-02-15T12:00:00.000Z' },
  })
  // The current plan takes the smaller one back, and requesting it again schedules it again.
  expect(await billing.change({ body: { planId: 'business' } })).toMatchObject({ scheduledPlan: null })
  expect(await billing.change({ body: { planId: 'team' } })).toMatchObject({ scheduledPlan: { planId: 'team' } })
  expect(await billing.change({ body: { planId: 'starter' } })).toMatchObject({ scheduledPlan: { planId: 'starter' } })
  await deliverAll()
  await pass(31 * dayMs)
  expect(await billing.get()).toMatchObject({ planId: 'starter', scheduledPlan: null, xMonthlyCap: 100 })
  expect(stripe.charges().map(({ amount }) => amount)).toEqual([4_900, 10_000, 1_900])
})

test('a downgrade below what is in use is refused with what stands in the way', async () => {
  const { kit, billing, subscribe, pass } = await startBilled()
  await subscribe('team')
  await pass(14 * dayMs)
  for (const n of [1, 2]) {
    await kit.sessionApi.team.invite({
      params: { id: kit.workspaceId },
      body: { email: `p${n}@mail.test`, role: 'member' },
    })
  }
  expect(await refusalOf(billing.change({ body: { planId: 'starter' } }))).toMatchObject({
    status: 409,
    code: 'plan_too_small',
    error: 'The plan "Starter" has 2 seats, and 3 are in use. Free some first.',
    blockers: [{ quota: 'seats', limit: 2, used: 3 }],
  })
  expect(await billing.get()).toMatchObject({ planId: 'team', scheduledPlan: null })
})

test('a cancellation keeps access to the end of the period, and can be taken back until then', async () => {
  const { me, billing, subscribe, pass, subscription } = await startBilled()
  await subscribe('team')
  await pass(14 * dayMs)
  await billing.change({ body: { planId: 'starter' } })
  expect(await billing.cancel()).toMatchObject({
    hasAccess: true,
    cancelAtPeriodEnd: true,
    scheduledPlan: null,
    currentPeriodEnd: '2030-02-15T12:00:00.000Z',
    accessEndsAt: '2030-02-15T12:00:00.000Z',
  })
  expect(await refusalOf(billing.change({ body: { planId: 'business' } }))).toMatchObject({
    status: 409,
    code: 'subscription_cancelled',
  })
  expect(await billing.resume()).toMatchObject({ cancelAtPeriodEnd: false, accessEndsAt: '2030-02-22T12:00:00.000Z' })
  await billing.cancel()
  await pass(31 * dayMs)
  expect(await subscription()).toMatchObject({ status: 'canceled', planName: null, hasAccess: false })
  expect(await statusOf(me().posts.list())).toBe(402)
  expect(await refusalOf(billing.resume())).toMatchObject({ status: 409, code: 'not_subscribed' })
})

test('a workspace that comes back pays immediately: it has had its trial', async () => {
  const { stripe, billing, subscribe, pass } = await startBilled()
  await subscribe('starter')
  await billing.cancel()
  await pass(14 * dayMs)
  expect(await billing.get()).toMatchObject({ status: 'canceled', hasAccess: false })
  expect(stripe.charges()).toEqual([])
  await subscribe('team')
  expect(await billing.get()).toMatchObject({ status: 'active', planId: 'team', trialEndsAt: null })
  expect(stripe.charges().map(({ amount }) => amount)).toEqual([4_900])
})

test('a person has a trial in each workspace that they own, as the guide says', async () => {
  const { kit, me, subscribe, pay, deliverAll, subscription } = await startBilled()
  await subscribe('starter')
  expect(await subscription()).toMatchObject({ status: 'trialing' })
  const { id } = await me().workspaces.create({ body: { name: 'Second', timezone: 'UTC' } })
  const second = client({ baseUrl: kit.url, workspaceId: id, token: kit.sessionToken })
  await pay((await second.billing.checkout({ body: { planId: 'starter' } })).url)
  await deliverAll()
  expect(await second.billing.get()).toMatchObject({ status: 'trialing', planId: 'starter' })
})

test('after a failed payment access continues for the grace period, and a payment ends the trouble', async () => {
  const { kit, billing, subscribe, pass, setCard, deliverAll, subscription } = await startBilled()
  await subscribe('team', 'late')
  await pass(14 * dayMs)
  expect(await subscription()).toMatchObject({
    status: 'past_due',
    hasAccess: true,
    accessMessage: 'The last payment failed. Access ends on 2030-01-22 unless a payment succeeds.',
  })
  expect(await refusalOf(billing.change({ body: { planId: 'business' } }))).toMatchObject({
    status: 409,
    code: 'payment_overdue',
  })
  kit.clock.pass(7 * dayMs)
  expect(await subscription()).toMatchObject({ status: 'past_due', hasAccess: false })
  expect(await statusOf(kit.sessionApi.posts.list())).toBe(402)
  await setCard('fix')
  await deliverAll()
  expect(await subscription()).toMatchObject({ status: 'active', hasAccess: true })
})

test('a payment that stays unpaid ends the subscription', async () => {
  const { subscribe, pass, subscription } = await startBilled()
  await subscribe('team', 'late')
  for (const days of [14, 3, 3, 3]) await pass(days * dayMs)
  expect(await subscription()).toMatchObject({ status: 'canceled', hasAccess: false })
})
