import { expect, test } from 'vitest'
import { ApiError } from '../../functions/client.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Kit, type StartOptions, start } from '../support/start.ts'

const body = { prompt: 'Two places are left on Saturday', platforms: ['x' as const] }

const spent = async ({ sessionApi }: Kit) => {
  const { usedMicroUsd, reservedMicroUsd, byKind } = await sessionApi.ai.getUsage()
  return { usedMicroUsd, reservedMicroUsd, calls: byKind.text.calls }
}

/** How a call of AWS fails for a while, as the SDK reports it. */
const failures: readonly { name: string; error: () => Error }[] = [
  {
    name: 'throttled',
    error: () =>
      Object.assign(new Error('Rate exceeded'), {
        name: 'ThrottlingException',
        $metadata: { httpStatusCode: 400 },
      }),
  },
  {
    name: 'a fault of the service',
    error: () =>
      Object.assign(new Error('Internal'), { name: 'InternalServerError', $metadata: { httpStatusCode: 500 } }),
  },
  { name: 'reset', error: () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) },
  { name: 'timed out', error: () => Object.assign(new Error('no response'), { name: 'TimeoutError' }) },
]

/** A service in which an effect of POST /api/ai/generate can fail, and what it did last. */
const startFailing = async (options: StartOptions) => {
  let effects: string[] | undefined
  let failing: { at: number; after: boolean; error: () => Error } | undefined
  const observe: ObserveFunction = async ({ functionName, service, action }, run) => {
    if (effects === undefined || functionName !== 'ai-generate') return run()
    const at = effects.push(`${service} ${action}`) - 1
    // The same effect fails each time that it is tried again.
    if (failing === undefined || at < failing.at || effects[failing.at] !== effects[at]) return run()
    if (failing.after) await run()
    throw failing.error()
  }
  const kit = await start({ ...options, observe })
  const generate = async (fault?: typeof failing) => {
    effects = []
    failing = fault
    const outcome = await kit.sessionApi.ai.generate({ body }).then(
      () => ({ status: 200, code: '' }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        return { status: error.status, code: String(error.code) }
      },
    )
    const done = effects
    effects = undefined
    return { outcome, done }
  }
  return { kit, generate }
}

const declared = ['unavailable', 'outcome_unknown', 'ai_unavailable', 'rate_limit_unavailable']

for (const provider of [undefined, 'openai'] as const) {
  test(`${provider ?? 'bedrock'}: whatever fails while a text is written, the answer is 200 or a declared 503, and at most one call is charged`, {
    timeout: 240_000,
  }, async () => {
    const { kit, generate } = await startFailing({ ai: provider ? { provider } : {} })
    const { done } = await generate()
    expect(done.length).toBeGreaterThan(3)
    let calls = 1
    for (const [at, effect] of done.entries()) {
      for (const { name, error } of failures) {
        for (const after of [false, true]) {
          const where = `${after ? 'after' : 'before'} ${effect} (${at}): ${name}`
          const { outcome } = await generate({ at, after, error })
          if (outcome.status !== 200) expect({ where, ...outcome }).toMatchObject({ where, status: 503 })
          if (outcome.status !== 200) expect(declared, where).toContain(outcome.code)
          const charged = (await spent(kit)).calls - calls
          expect({ where, charged: charged <= 1 && (outcome.status !== 200 || charged === 1) }).toEqual({
            where,
            charged: true,
          })
          calls += charged
        }
      }
    }
    await kit.service.pass(6 * minuteMs, { tickMinutes: 6 })
    expect(await spent(kit)).toMatchObject({ reservedMicroUsd: 0, calls })
  })
}

test('a model may take all the time that is left of a request', async () => {
  const kit = await start({ ai: { text: { timeoutMs: 60_000 } } })
  await expect(kit.sessionApi.ai.generate({ body })).resolves.toMatchObject({ variants: [{ platform: 'x' }] })
})

test('an answer that comes after the sweeper has returned its reservation is not charged, and refused', async () => {
  let late: (() => Promise<unknown>) | undefined
  const kit = await start({
    observe: async (effect, run) => {
      const act = late
      const answer = await run()
      if (effect.action !== 'Converse' || act === undefined) return answer
      late = undefined
      await act()
      return answer
    },
  })
  late = () => kit.service.pass(5 * minuteMs)
  await expect(kit.sessionApi.ai.generate({ body })).rejects.toMatchObject({ status: 503, code: 'ai_unavailable' })
  expect(await spent(kit)).toEqual({ usedMicroUsd: 0, reservedMicroUsd: 0, calls: 0 })
})

test('after one text cannot be written, no other one is begun', async () => {
  const { sessionApi, service } = await start({ ai: { provider: 'openai' } })
  service.ai.faults.add({ service: 'openai', times: 1, fault: 'status', status: 403 })
  const platforms = ['x' as const, 'linkedin' as const, 'bluesky' as const, 'threads' as const, 'discord' as const]
  await expect(sessionApi.ai.generate({ body: { ...body, platforms, count: 2 } })).rejects.toMatchObject({
    code: 'ai_unavailable',
  })
  // Of ten texts, four are requested concurrently; each of the other three workers may have begun its second.
  expect(service.ai.model.prompts().length).toBeLessThanOrEqual(6)
})
