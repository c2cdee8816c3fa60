import { expect, test } from 'vitest'
import { makeContext } from '../../shared/context.ts'
import { planIds, plans } from '../../shared/plans/plans.ts'
import { aiBudgetMicroUsd } from '../../shared/workspaces/ai-budget.ts'
import { selfHosted } from '../../shared/workspaces/subscription.ts'

test('each plan costs more than the one before and allows more of everything', () => {
  expect(plans.map(({ id }) => id)).toEqual(planIds)
  for (const [at, plan] of plans.entries()) {
    const before = plans[at - 1]
    if (before === undefined) continue
    for (const name of ['monthlyPriceCents', 'xMonthlyCap', 'seats', 'webhookEndpoints', 'aiBudgetMicroUsd'] as const) {
      expect(plan[name], `${plan.id}: ${name}`).toBeGreaterThan(before[name])
    }
  }
})

test('the AI budget is that of the plan, else that of the deployment, else unlimited', () => {
  const limited = makeContext({ AI_BUDGET_MICRO_USD: '5000000' })
  const unlimited = makeContext({ AI_BUDGET_MICRO_USD: '' })
  const team = { subscription: { status: 'active', planId: 'team', planName: 'Team', hasAccess: true } }
  const madeUp = { subscription: { ...selfHosted, planName: 'Friends' } }
  expect(aiBudgetMicroUsd(unlimited, team)).toBe(10_000_000)
  expect(aiBudgetMicroUsd(limited, madeUp)).toBe(5_000_000)
  expect(aiBudgetMicroUsd(unlimited, madeUp)).toBeUndefined()
})
