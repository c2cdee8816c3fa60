import { expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { routes } from '../../functions/routes.ts'
import { refusalOf } from '../api/answers.ts'
import { start } from '../support/start.ts'
import { callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'

test('without a provider, each route of billing says that the deployment is self-hosted', async () => {
  const kit = await start({ billing: 'none' })
  const { sessionApi } = kit
  expect(await sessionApi.billing.get()).toMatchObject({
    provider: 'none',
    planId: null,
    planName: 'self-hosted',
    status: 'active',
    hasAccess: true,
    plans: [],
    trialEndsAt: null,
    currentPeriodEnd: null,
    accessEndsAt: null,
    scheduledPlan: null,
    xMonthlyCap: null,
    seats: { used: 1, limit: null },
    aiBudget: { usedMicroUsd: 0, limitMicroUsd: null },
  })
  const { checkout, change, portal, cancel, resume } = sessionApi.billing
  const calls = [
    ...[() => checkout({ body: { planId: 'team' } }), () => change({ body: { planId: 'team' } })],
    ...[() => portal(), () => cancel(), () => resume()],
  ]
  for (const call of calls) {
    expect(await refusalOf(call())).toMatchObject({
      status: 503,
      code: 'billing_not_configured',
      error: 'This deployment has no billing provider. Its operator sets the plans.',
    })
  }
  const event = await fetch(`${kit.url}/api/billing/stripe-webhook`, { method: 'POST', body: '{}' })
  expect([event.status, await event.json()]).toMatchObject([503, { code: 'billing_not_configured' }])
})

test('without a provider, no route of a new workspace requires a plan', async () => {
  const kit = await start({ billing: 'none' })
  const { id } = await kit.sessionApi.workspaces.create({ body: { name: 'New', timezone: 'UTC' } })
  const fresh = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: id })
  expect(await fresh.billing.get()).toMatchObject({ hasAccess: true, planName: 'self-hosted' })
  const inWorkspaces = routes.filter(
    ({ endpoint, operation }) => endpoint.contract.access.kind === 'workspace' && !operation.startsWith('billing.'),
  )
  expect(inWorkspaces.length).toBeGreaterThan(60)
  const unpaid: string[] = []
  for (const route of inWorkspaces) {
    const { status } = await callRoute(kit.url, route, await happyCall(route, kit))
    if (status === 402) unpaid.push(route.operation)
  }
  expect(unpaid).toEqual([])
}, 240_000)
