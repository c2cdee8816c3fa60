import { expect, test } from 'vitest'
import { setPlan } from '../../shared/workspaces/plan.ts'
import type { Subscription } from '../../shared/workspaces/subscription.ts'
import { refusalOf, statusOf } from '../api/answers.ts'
import { makePerson, makeTeam, serveFile } from '../api/team/team.ts'
import { bodyOf } from '../webhooks/hooks.ts'

serveFile()

const onPlan = (planId: string, planName: string): Subscription => ({
  status: 'active',
  planId,
  planName,
  hasAccess: true,
})

/** A team on the smallest plan: two seats, two webhook endpoints. */
const makeSmallTeam = async () => {
  const team = await makeTeam()
  await setPlan(team.kit.ctx, team.id, onPlan('starter', 'Starter'))
  return team
}

test('a pending invitation takes a seat, and gives it back when it is revoked', async () => {
  const { kit, invite, inside, owner, params, slug } = await makeSmallTeam()
  const { id: invitationId } = await invite('a@mail.test')
  expect(await refusalOf(invite('b@mail.test'))).toEqual({
    success: false,
    status: 402,
    code: 'plan_limit_reached',
    error: 'The plan "Starter" has 2 seats, and 2 are in use. Choose a larger plan, or free one.',
    httpStatus: 402,
    billingUrl: `${kit.url}/billing?workspace=${slug}`,
    subscriptionStatus: 'active',
    workspaceSlug: slug,
    quota: 'seats',
    limit: 2,
    used: 2,
    planName: 'Starter',
  })
  // The same address again takes no other seat.
  await invite('a@mail.test', 'admin')
  await inside(owner).team.revokeInvitation({ params: { ...params, invitationId } })
  await invite('b@mail.test')
})

test('parallel invitations never take more seats than the plan has', async () => {
  const { kit, id, invite, inside, owner, params } = await makeTeam()
  await setPlan(kit.ctx, id, onPlan('team', 'Team'))
  const addresses = Array.from({ length: 14 }, (_, n) => `p${n}@mail.test`)
  const statuses = await Promise.all(addresses.map((email) => statusOf(invite(email))))
  expect(statuses.filter((status) => status === 200)).toHaveLength(9)
  expect(statuses.filter((status) => status === 402)).toHaveLength(5)
  expect(await inside(owner).team.listInvitations({ params })).toMatchObject({ total: 9 })
})

test('after a downgrade, members stay and an invitation from before finds no seat', async () => {
  const { kit, id, invite, accept, join, members } = await makeTeam()
  await join()
  await join()
  const person = await makePerson('Late')
  await invite(person.email)
  await setPlan(kit.ctx, id, onPlan('starter', 'Starter'))
  expect(await refusalOf(accept(person))).toMatchObject({ status: 402, code: 'plan_limit_reached', limit: 2, used: 3 })
  expect(await members()).toHaveLength(3)
  await setPlan(kit.ctx, id, onPlan('team', 'Team'))
  await accept(person)
  expect(await members()).toHaveLength(4)
})

test('parallel requests never create more webhook endpoints than the plan has', async () => {
  const { kit, inside, owner } = await makeSmallTeam()
  const { webhooks } = inside(owner)
  const create = (n: number) => webhooks.create({ body: bodyOf(kit, `hook-${n}`) })
  const statuses = await Promise.all([1, 2, 3, 4, 5].map((n) => statusOf(create(n))))
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(await refusalOf(create(6))).toMatchObject({
    status: 402,
    code: 'plan_limit_reached',
    quota: 'webhookEndpoints',
    limit: 2,
    used: 2,
  })
  expect(await webhooks.list()).toHaveLength(2)
})

const trialEndsAt = '2030-01-04T12:00:00.000Z'
const endings: readonly [name: string, subscription: Partial<Subscription>, before: RegExp, after: RegExp][] = [
  ['a trial', { status: 'trialing', trialEndsAt }, /^The trial ends on 2030-01-04\.$/, /no active plan/],
  ['a grace period', { status: 'past_due' }, /^The last payment failed\. Access ends on 2030-01-04 /, /Pay the open/],
  ['a canceled subscription', { cancelAtPeriodEnd: true }, /^The subscription ends on 2030-01-04\.$/, /no active plan/],
  // At Stripe both live on: they cannot be bought again, and only the portal helps.
  ['a paused subscription', { status: 'paused' }, /has access/, /paused\. Add a payment method in the billing portal/],
  ['an unreported renewal', { status: 'active' }, /has access/, /Check the subscription in the billing portal/],
]

test.each(endings)('%s ends by the clock, without an event of the provider', async (_, subscription, before, after) => {
  const { kit, id, inside, owner, params } = await makeTeam()
  const accessUntil = trialEndsAt
  await setPlan(kit.ctx, id, { ...onPlan('team', 'Team'), ...subscription, accessUntil })
  const startMs = kit.clock.now()
  const { workspaces, posts } = inside(owner)
  const shown = async () => (await workspaces.get({ params })).subscription
  kit.clock.set(Date.parse(accessUntil) - 1)
  expect(await shown()).toMatchObject({ hasAccess: true, accessMessage: expect.stringMatching(before) })
  expect(await statusOf(posts.list())).toBe(200)
  kit.clock.pass(1)
  expect(await shown()).toMatchObject({ hasAccess: false, accessMessage: expect.stringMatching(after) })
  expect(await refusalOf(posts.list())).toMatchObject({
    status: 402,
    code: 'subscription_required',
    error: expect.stringMatching(after),
  })
  kit.clock.set(startMs)
})
