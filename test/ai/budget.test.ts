import { expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { Crash } from '../../infra/local/service/invocation.ts'
import { start } from '../support/start.ts'
import { minuteMs } from '../support/world/preparations.ts'

const body = { prompt: 'A loaf', platforms: ['x' as const] }

test('a call is charged what its tokens cost, and the usage of the month counts it', async () => {
  const { sessionApi } = await start({ ai: { text: { inputPrice: 1_000, outputPrice: 2_000 } } })
  const { usage } = await sessionApi.ai.generate({ body })
  const { inputTokens, outputTokens, costMicroUsd } = usage
  expect(costMicroUsd).toBe(inputTokens + 2 * outputTokens)
  expect(await sessionApi.ai.getUsage()).toEqual({
    month: '2030-01',
    usedMicroUsd: costMicroUsd,
    reservedMicroUsd: 0,
    limitMicroUsd: null,
    childWorkspacesMicroUsd: 0,
    resetsAt: '2030-02-01T00:00:00.000Z',
    byKind: {
      text: { calls: 1, microUsd: costMicroUsd, inputTokens, outputTokens },
      speech: { calls: 0, microUsd: 0, seconds: 0 },
    },
  })
})

test('a budget that covers a call and the one that shortens its answer is enough', async () => {
  // The call costs about 40; its most is 287 with these prices.
  const { sessionApi } = await start({ ai: { budgetMicroUsd: 300 } })
  await expect(sessionApi.ai.generate({ body })).resolves.toMatchObject({ usage: { costMicroUsd: expect.any(Number) } })
})

test('absurd token counts of a provider do not enter the figures of the month', async () => {
  const { sessionApi, service } = await start()
  // Far more than the call lets the model write; the stand-in reports a token for four bytes.
  service.ai.model.answerWith(() => 'word '.repeat(200_000))
  await sessionApi.ai.generate({ body })
  const { byKind } = await sessionApi.ai.getUsage()
  expect(byKind.text.outputTokens).toBeGreaterThan(0)
  expect(byKind.text.outputTokens).toBeLessThan(1_000)
})

test('concurrent calls never exceed the budget, and the next month has a new one', async () => {
  // A call costs 14 and reserves 287: even one after another, twelve do not fit.
  const budgetMicroUsd = 400
  const { sessionApi, clock } = await start({ ai: { budgetMicroUsd }, startMs: Date.UTC(2030, 0, 31, 12) })
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => sessionApi.ai.generate({ body })))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(12)
  for (const reason of refused) expect(reason).toMatchObject({ status: 402, code: 'ai_budget_exceeded' })
  const { usedMicroUsd, reservedMicroUsd } = await sessionApi.ai.getUsage()
  expect(usedMicroUsd).toBeLessThanOrEqual(budgetMicroUsd)
  expect(reservedMicroUsd).toBe(0)
  clock.pass(24 * 60 * minuteMs)
  await expect(sessionApi.ai.getUsage()).resolves.toMatchObject({ usedMicroUsd: 0, limitMicroUsd: budgetMicroUsd })
})

test('a repeat with the same Idempotency-Key returns the first response and is charged once', async () => {
  const kit = await start()
  const generate = () =>
    fetch(`${kit.url}/api/ai/generate`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${kit.sessionToken}`,
        'X-Workspace-Id': kit.workspaceId,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'once',
      },
      body: JSON.stringify(body),
    }).then(async (response) => ({ status: response.status, text: await response.text() }))
  const answers = await Promise.all([generate(), generate(), generate()])
  answers.push(await generate())
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { byKind, reservedMicroUsd } = await kit.sessionApi.ai.getUsage()
  expect({ calls: byKind.text.calls, reservedMicroUsd }).toEqual({ calls: 1, reservedMicroUsd: 0 })
})

test('the reservation of a call whose function dies is returned by the sweeper, once', async () => {
  let dies = true
  const kit = await start({
    observe: (effect, run) => {
      if (dies && effect.action === 'Converse') throw new Crash('in the middle of the call')
      return run()
    },
  })
  await expect(kit.sessionApi.ai.generate({ body })).rejects.toThrow()
  dies = false
  expect((await kit.sessionApi.ai.getUsage()).reservedMicroUsd).toBeGreaterThan(0)
  await kit.service.pass(5 * minuteMs)
  await expect(kit.sessionApi.ai.getUsage()).resolves.toMatchObject({ reservedMicroUsd: 0, usedMicroUsd: 0 })
})

test('the budget of another workspace is untouched', async () => {
  const kit = await start({ ai: { budgetMicroUsd: 1_000 } })
  const { id } = await kit.sessionApi.workspaces.create({ body: { name: 'Other', timezone: 'UTC' } })
  await kit.sessionApi.ai.generate({ body })
  const other = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: id })
  await expect(other.ai.getUsage()).resolves.toMatchObject({ usedMicroUsd: 0 })
})
