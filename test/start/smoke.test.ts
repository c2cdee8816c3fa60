import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { useService } from './one-service.ts'
import { remainsIn } from './smoke/remains.ts'
import { smoke } from './smoke/run.ts'

const run = useService()

test('a deployment that works passes every step that the token allows, and nothing is left', async () => {
  const { code, output, failed, skipped, lines } = await smoke(run.service.pat, '--base-url', run.service.baseUrl)
  expect(output).not.toContain(run.service.pat)
  expect([code, failed]).toEqual([0, []])
  expect(skipped).toEqual([expect.stringMatching(/^skipped {2}webhook endpoint .* This route requires a session\./)])
  expect(lines.filter((line) => /^ok {7}.* \d+ ms {2}[\w-]{15}=/.test(line)).length).toBeGreaterThan(20)
  expect(lines.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+: \d+ ok, 0 failed, 1 skipped$/)
  expect(await remainsIn(run.service)).toEqual([])
})

const Printed = z.strictObject({
  baseUrl: z.string(),
  outcome: z.enum(['ok', 'failed']),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      outcome: z.enum(['ok', 'skipped', 'failed']),
      ms: z.int(),
      requestId: z.string(),
      detail: z.string(),
    }),
  ),
})

test('a session passes every step; --json prints one document', async () => {
  const { baseUrl, sessionToken, workspaceId } = run.service
  const { code, output } = await smoke(sessionToken, '--base-url', `${baseUrl}/`, '--workspace', workspaceId, '--json')
  const { outcome, steps } = z.parse(Printed, JSON.parse(output))
  expect([code, outcome]).toEqual([0, 'ok'])
  expect(steps.filter((step) => step.outcome !== 'ok')).toEqual([])
  expect(steps.map(({ step }) => step)).toContain('webhook endpoint')
  expect(await remainsIn(run.service)).toEqual([])
})

test('a wrong token fails immediately, with what the API says', async () => {
  const { code, failed, lines } = await smoke(`${run.service.pat.slice(0, -1)}0`, '--base-url', run.service.baseUrl)
  expect(code).toBe(1)
  expect(failed).toEqual([
    expect.stringMatching(/^FAILED {3}token and workspace .* answered 401 \(unauthenticated\): /),
  ])
  expect(lines).toHaveLength(7)
})
