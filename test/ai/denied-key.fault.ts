import { expect, test } from 'vitest'
import { localNames } from '../../infra/deploy/stacks/names.ts'
import { withStatements } from '../support/changed-assembly.ts'
import { type Kit, start } from '../support/start.ts'

const minuteMs = 60_000
const body = { prompt: 'Two places are left on Saturday', platforms: ['x' as const] }

/** A deployment with OpenAI-compatible endpoints in which Secrets Manager denies a function the API keys. */
const startDenied = async (functionName: string): Promise<Kit> => {
  const assembly = await withStatements(
    functionName,
    (statements) => {
      const before = JSON.stringify(statements)
      expect(before).toContain(`secret:${localNames.aiSecret}*`)
      return JSON.parse(before.replaceAll(`secret:${localNames.aiSecret}*`, `secret:${localNames.aiSecret}-other*`))
    },
    'openai-assembly',
  )
  return start({ assembly, ai: { provider: 'openai' }, mayBeDenied: true })
}

const denialOf = (functionName: string) =>
  expect.stringMatching(
    `^social-local-${functionName} was denied secretsmanager:GetSecretValue on \\S+:secret:${localNames.aiSecret}-\\w+$`,
  )

const expectNothingCharged = async ({ sessionApi }: Kit) =>
  expect(await sessionApi.ai.getUsage()).toMatchObject({
    usedMicroUsd: 0,
    reservedMicroUsd: 0,
    byKind: { text: { calls: 0 }, speech: { calls: 0 } },
  })

test.each([
  ['ai-generate', ({ sessionApi }: Kit) => sessionApi.ai.generate({ body })],
  ['ai-rewrite', ({ sessionApi }: Kit) => sessionApi.ai.rewrite({ body: { content: 'A', instruction: 'longer' } })],
] as const)('%s returns 503 and charges nothing when IAM denies the API keys', async (functionName, call) => {
  const kit = await startDenied(functionName)
  const refused = await call(kit).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 503, code: 'ai_unavailable' })
  expect([...kit.denied]).toEqual([denialOf(functionName)])
  expect(kit.logged.join()).toContain('rejected: the API keys: AccessDeniedException')
  expect(kit.service.ai.model.prompts()).toEqual([])
  await expectNothingCharged(kit)
})

test('a job whose worker is denied the API keys fails immediately, and charges nothing', async () => {
  const kit = await startDenied('run-ai-job')
  const { jobId } = await kit.sessionApi.ai.createJob({ body })
  await kit.service.pass(minuteMs)
  const job = await kit.sessionApi.ai.getJob({ params: { id: jobId } })
  expect(job).toMatchObject({ status: 'failed', error: { code: 'ai_unavailable' }, costMicroUsd: 0 })
  expect([...kit.denied]).toEqual([denialOf('run-ai-job')])
  expect(kit.logged.join()).toContain('rejected: the API keys: AccessDeniedException')
  await expectNothingCharged(kit)
})
