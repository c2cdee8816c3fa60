import { expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { Crash } from '../../../infra/local/service/invocation.ts'
import { start } from '../../support/start.ts'
import { makeHook, makeMember, minuteMs } from '../../support/world/preparations.ts'

const body = { prompt: 'A loaf', platforms: ['x' as const, 'linkedin' as const] }

test('a job is queued, and its result can be read when its event arrives', async () => {
  const kit = await start()
  await makeHook(kit, 'jobs', ['ai.completed'])
  const job = await kit.sessionApi.ai.createJob({ body })
  expect(job).toMatchObject({ kind: 'generate', status: 'queued', result: null, error: null, costMicroUsd: null })
  await kit.service.drain()
  const done = await kit.sessionApi.ai.getJob({ params: { id: job.jobId } })
  expect(done).toMatchObject({
    status: 'completed',
    result: { variants: [{ platform: 'x' }, { platform: 'linkedin' }] },
  })
  const [delivery] = kit.inbox.deliveries()
  expect(JSON.parse(delivery?.rawBody ?? '')).toMatchObject({
    type: 'ai.completed',
    data: { jobId: job.jobId, status: 'completed' },
  })
  expect(delivery?.rawBody).not.toContain('loaf')
  const { usedMicroUsd, reservedMicroUsd } = await kit.sessionApi.ai.getUsage()
  expect({ usedMicroUsd, reservedMicroUsd }).toEqual({ usedMicroUsd: done.costMicroUsd, reservedMicroUsd: 0 })
})

test('a job whose worker dies at any effect is resumed, and charged once', async () => {
  for (let nth = 0; nth < 12; nth += 1) {
    let effects = 0
    let died = false
    const kit = await start({
      observe: async (effect, run) => {
        if (effect.functionName !== 'run-ai-job' || died) return run()
        effects += 1
        if (effects <= nth) return run()
        died = true
        await run()
        throw new Crash(`after effect ${nth}`)
      },
    })
    const { jobId } = await kit.sessionApi.ai.createJob({ body })
    await kit.service.pass(10 * minuteMs)
    const job = await kit.sessionApi.ai.getJob({ params: { id: jobId } })
    expect(job.status, `after effect ${nth}`).toBe('completed')
    const usage = await kit.sessionApi.ai.getUsage()
    expect(usage).toMatchObject({ usedMicroUsd: job.costMicroUsd, reservedMicroUsd: 0, byKind: { text: { calls: 1 } } })
    await kit.close()
    if (!died) break
  }
}, 120_000)

test('a job whose provider stays away fails, costs nothing, and says so', async () => {
  const kit = await start()
  kit.service.ai.faults.add({ service: 'bedrock', times: 100, fault: 'status', status: 503 })
  const { jobId } = await kit.sessionApi.ai.createJob({ body })
  await kit.service.pass(10 * minuteMs)
  await expect(kit.sessionApi.ai.getJob({ params: { id: jobId } })).resolves.toMatchObject({
    status: 'failed',
    error: { code: 'ai_unavailable' },
    costMicroUsd: 0,
  })
  await expect(kit.sessionApi.ai.getUsage()).resolves.toMatchObject({ usedMicroUsd: 0, reservedMicroUsd: 0 })
})

test('a job can be read by the person who started it, for seven days after it has ended', async () => {
  const kit = await start()
  const { jobId } = await kit.sessionApi.ai.createJob({ body })
  await kit.service.drain()
  const { session: token } = await makeMember(kit, 'admin')
  const other = client({ baseUrl: kit.url, token, workspaceId: kit.workspaceId })
  await expect(other.ai.getJob({ params: { id: jobId } })).rejects.toMatchObject({ code: 'ai_job_not_found' })
  const read = () => kit.sessionApi.ai.getJob({ params: { id: jobId } })
  kit.clock.pass(7 * 24 * 60 * minuteMs - minuteMs)
  await expect(read()).resolves.toMatchObject({ jobId })
  kit.clock.pass(2 * minuteMs)
  await expect(read()).rejects.toMatchObject({ status: 404, code: 'ai_job_not_found' })
})
