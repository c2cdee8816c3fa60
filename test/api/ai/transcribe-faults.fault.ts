import { expect, test } from 'vitest'
import type { AiFault } from '../../../infra/local/ai/faults.ts'
import { type Kit, start } from '../../support/start.ts'
import { minuteMs } from '../../support/world/preparations.ts'

const send = async (kit: Kit): Promise<string> => {
  const response = await fetch(`${kit.url}/api/ai/transcribe`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${kit.sessionToken}`,
      'X-Workspace-Id': kit.workspaceId,
      'Content-Type': 'audio/mpeg',
    },
    body: new Uint8Array(40_000).map((_, n) => n % 251),
  })
  const { data } = (await response.json()) as { data: { jobId: string } }
  return data.jobId
}

const read = (kit: Kit, id: string) => kit.sessionApi.ai.getJob({ params: { id } })

const speechOf = async ({ sessionApi }: Kit) => {
  const { byKind, reservedMicroUsd } = await sessionApi.ai.getUsage()
  return { calls: byKind.speech.calls, reservedMicroUsd }
}

const leftovers = ({ service, ctx }: Kit) =>
  service.buckets.list(ctx.env('MEDIA_BUCKET')).filter(({ key }) => key.startsWith('incoming/') && key.includes('aij_'))

/** Trouble that passes: how often it is met, by tries of the SDK, too. */
const passing: readonly (Omit<AiFault, 'service'> & { name: string })[] = [
  { name: 'a connection that is cut', fault: 'reset', times: 1 },
  { name: 'connections that are cut as often as the SDK tries', fault: 'reset', times: 4 },
  { name: 'no response', fault: 'hang', times: 1 },
  { name: 'a slow answer', fault: 'slow', times: 2, delayMs: 300 },
  { name: 'an answer that is slower than the SDK waits, after the effect', fault: 'slow', times: 2, delayMs: 5_500 },
  { name: 'throttling', fault: 'status', times: 4, status: 429 },
]

test.each(passing)('Amazon Transcribe: $name delays a job, which is charged once', async ({ name: _, ...fault }) => {
  const kit = await start()
  kit.service.ai.faults.add({ service: 'transcribe', ...fault })
  const jobId = await send(kit)
  await kit.service.pass(6 * minuteMs)
  await expect(read(kit, jobId)).resolves.toMatchObject({ status: 'completed' })
  expect(await speechOf(kit)).toEqual({ calls: 1, reservedMicroUsd: 0 })
  expect(leftovers(kit)).toEqual([])
}, 120_000)

test('Amazon Transcribe: connections that stay cut fail a job without a charge', async () => {
  const kit = await start()
  kit.service.ai.faults.add({ service: 'transcribe', fault: 'reset', times: 1_000 })
  const jobId = await send(kit)
  await kit.service.pass(10 * minuteMs)
  await expect(read(kit, jobId)).resolves.toMatchObject({
    status: 'failed',
    costMicroUsd: 0,
    error: { code: 'ai_unavailable' },
  })
  expect(await speechOf(kit)).toEqual({ calls: 0, reservedMicroUsd: 0 })
}, 120_000)

test('Amazon Transcribe: a transcript of 15 MB is cut to what a row takes', async () => {
  const kit = await start()
  kit.service.ai.faults.add({ service: 'transcribe', fault: 'huge', times: 50 })
  const jobId = await send(kit)
  await kit.service.pass(2 * minuteMs)
  const { status, result } = await read(kit, jobId)
  expect(status).toBe('completed')
  expect(result?.text).toMatch(/^言葉 言葉 /)
  expect(Buffer.byteLength(result?.text ?? '')).toBeGreaterThan(300_000)
  expect(Buffer.byteLength(result?.text ?? '')).toBeLessThan(350_000)
  expect(await speechOf(kit)).toEqual({ calls: 1, reservedMicroUsd: 0 })
  expect(leftovers(kit)).toEqual([])
}, 60_000)

/** Trouble of an OpenAI-compatible endpoint, how often it is met, and how the job ends. */
const atEndpoint: readonly (Omit<AiFault, 'service'> & { name: string; ends: 'completed' | 'failed' })[] = [
  { name: 'a connection that is cut', fault: 'reset', times: 1, ends: 'completed' },
  { name: 'no response in time', fault: 'hang', times: 1, ends: 'completed' },
  { name: 'a slow answer', fault: 'slow', times: 1, delayMs: 200, ends: 'completed' },
  { name: 'a Retry-After', fault: 'status', times: 1, status: 429, retryAfterSeconds: 30, ends: 'completed' },
  { name: 'an endpoint that never answers', fault: 'hang', times: 50, ends: 'failed' },
  { name: 'throttling that stays', fault: 'status', times: 50, status: 429, ends: 'failed' },
  { name: 'a wrong key', fault: 'status', times: 1, status: 401, ends: 'failed' },
  { name: 'a response of another shape', fault: 'malformed', times: 1, ends: 'failed' },
  { name: 'a page of HTML', fault: 'not_json', times: 1, ends: 'failed' },
  { name: 'an answer of 40 MB', fault: 'huge', times: 50, ends: 'failed' },
]

test.each(atEndpoint)('OpenAI-compatible: after $name the job is $ends, and only a completed one is charged', async ({
  name: _,
  ends,
  ...fault
}) => {
  const kit = await start({ ai: { provider: 'openai', speech: { timeoutMs: 1_000 } } })
  kit.service.ai.faults.add({ service: 'openai', ...fault })
  const jobId = await send(kit)
  await kit.service.pass(12 * minuteMs)
  const job = await read(kit, jobId)
  expect(job).toMatchObject(
    ends === 'completed' ? { status: ends } : { status: ends, costMicroUsd: 0, error: { code: 'ai_unavailable' } },
  )
  expect(await speechOf(kit)).toEqual({ calls: ends === 'completed' ? 1 : 0, reservedMicroUsd: 0 })
  expect(leftovers(kit)).toEqual([])
}, 60_000)
