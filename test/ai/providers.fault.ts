import { expect, test } from 'vitest'
import type { ApiError } from '../../functions/client.ts'
import type { AiFault } from '../../infra/local/ai/faults.ts'
import { type Kit, start } from '../support/start.ts'

const body = { prompt: 'Two places are left on Saturday', platforms: ['x' as const] }

const unavailable = { status: 503, code: 'ai_unavailable' }
const filtered = { status: 422, code: 'ai_content_filtered' }

type Fault = Omit<AiFault, 'service' | 'times'>

/** Each trouble of a provider, if it stays, and how the request ends. */
const lasting: readonly { fault: Fault; refused: object }[] = [
  { fault: { fault: 'status', status: 429 }, refused: unavailable },
  { fault: { fault: 'status', status: 500 }, refused: unavailable },
  { fault: { fault: 'status', status: 503 }, refused: unavailable },
  { fault: { fault: 'status', status: 403 }, refused: unavailable },
  { fault: { fault: 'reset' }, refused: unavailable },
  { fault: { fault: 'hang' }, refused: unavailable },
  { fault: { fault: 'malformed' }, refused: unavailable },
  { fault: { fault: 'not_json' }, refused: unavailable },
  { fault: { fault: 'filtered' }, refused: filtered },
]

/** Failures that a retry overcomes. */
const passing: readonly Fault[] = [
  { fault: 'status', status: 429 },
  { fault: 'status', status: 503 },
  { fault: 'reset' },
  { fault: 'slow', delayMs: 100 },
]

const usageOf = async ({ sessionApi }: Kit) => {
  const { usedMicroUsd, reservedMicroUsd, byKind } = await sessionApi.ai.getUsage()
  return { usedMicroUsd, reservedMicroUsd, calls: byKind.text.calls }
}

const nothing = { usedMicroUsd: 0, reservedMicroUsd: 0, calls: 0 }

for (const [service, provider] of [
  ['bedrock', undefined],
  ['openai', 'openai'],
] as const) {
  const begin = () => start({ ai: { ...(provider ? { provider } : {}), text: { timeoutMs: 600 } } })

  test(`${service}: every lasting trouble ends in its status, and nothing is charged`, async () => {
    const kit = await begin()
    for (const { fault, refused } of lasting) {
      kit.service.ai.faults.add({ service, times: 10, ...fault })
      await expect(kit.sessionApi.ai.generate({ body }), fault.fault).rejects.toMatchObject(refused)
      kit.service.ai.faults.clear()
    }
    expect(await usageOf(kit)).toEqual(nothing)
    expect(kit.logged.join('\n')).not.toContain('Saturday')
  }, 60_000)

  test(`${service}: passing trouble is repeated once and charged once`, async () => {
    const kit = await begin()
    for (const [n, fault] of passing.entries()) {
      kit.service.ai.faults.add({ service, times: 1, ...fault })
      const { usage } = await kit.sessionApi.ai.generate({ body })
      const { calls, reservedMicroUsd, usedMicroUsd } = await usageOf(kit)
      expect({ calls, reservedMicroUsd }).toEqual({ calls: n + 1, reservedMicroUsd: 0 })
      expect(usedMicroUsd).toBe((n + 1) * usage.costMicroUsd)
    }
  }, 60_000)

  test(`${service}: an answer of 40 MB is refused or cut`, async () => {
    const kit = await begin()
    kit.service.ai.faults.add({ service, times: 2, fault: 'huge' })
    const answer = await kit.sessionApi.ai.generate({ body }).catch((error: unknown) => error)
    if (answer instanceof Error) expect(answer).toMatchObject(unavailable)
    else expect(answer).toMatchObject({ variants: [{ issues: [] }] })
    expect((await usageOf(kit)).reservedMicroUsd).toBe(0)
  }, 60_000)
}

test('a Retry-After beyond the time of the request is passed on', async () => {
  const kit = await start({ ai: { provider: 'openai' } })
  kit.service.ai.faults.add({ service: 'openai', times: 1, fault: 'status', status: 429, retryAfterSeconds: 77 })
  const refused = await kit.sessionApi.ai.generate({ body }).catch((error: unknown) => error)
  expect(refused).toMatchObject(unavailable)
  expect(refused).toSatisfy((error: ApiError) => error.headers.get('Retry-After') === '77')
})

test('a model that wants max_completion_tokens gets it', async () => {
  const { sessionApi, service } = await start({ ai: { provider: 'openai', text: { model: 'gpt-5-mini' } } })
  await expect(sessionApi.ai.generate({ body })).resolves.toMatchObject({ variants: [{ platform: 'x' }] })
  await sessionApi.ai.generate({ body })
  expect(service.ai.model.prompts()).toHaveLength(2)
})
