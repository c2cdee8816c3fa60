import { expect, test } from 'vitest'
import { update } from '../../../shared/db/table.ts'
import { assets } from '../../../shared/media/asset.ts'
import { uploadVideo } from '../../journeys/upload-video.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeAsset, minuteMs } from '../../support/world/preparations.ts'

const send = async (kit: Kit, body: string | Uint8Array<ArrayBuffer>, type = 'audio/mpeg', key?: string) => {
  const response = await fetch(`${kit.url}/api/ai/transcribe`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${kit.sessionToken}`,
      'X-Workspace-Id': kit.workspaceId,
      'Content-Type': type,
      ...(key ? { 'Idempotency-Key': key } : {}),
    },
    body,
  })
  const { data, code } = (await response.json()) as { data?: { jobId: string }; code?: string }
  return { status: response.status, code, jobId: data?.jobId ?? '' }
}

const read = (kit: Kit, id: string) => kit.sessionApi.ai.getJob({ params: { id } })

const recording = new Uint8Array(40_000).map((_, n) => n % 251)

/** What lies under the prefix of uploads. */
const leftovers = ({ service, ctx }: Kit) =>
  service.buckets.list(ctx.env('MEDIA_BUCKET')).filter(({ key }) => key.startsWith('incoming/') && key.includes('aij_'))

for (const provider of [undefined, 'openai'] as const) {
  const begin = () => start({ ai: provider ? { provider } : {} })
  const name = provider ?? 'transcribe'

  test(`${name}: a recording in the body becomes a text, byte by byte, and nothing of it is left`, async () => {
    const kit = await begin()
    const { status, jobId } = await send(kit, recording)
    expect(status).toBe(202)
    await kit.service.pass(2 * minuteMs)
    const job = await read(kit, jobId)
    expect(job).toMatchObject({ kind: 'transcribe', status: 'completed' })
    expect(job.result?.text).toMatch(/^Welcome to our bakery\./)
    const { byKind, usedMicroUsd, reservedMicroUsd } = await kit.sessionApi.ai.getUsage()
    // 8,000 bytes are a second for both stand-ins.
    expect(byKind.speech).toEqual({ calls: 1, seconds: 5, microUsd: usedMicroUsd })
    expect({ usedMicroUsd, reservedMicroUsd }).toEqual({ usedMicroUsd: job.costMicroUsd, reservedMicroUsd: 0 })
    expect(leftovers(kit)).toEqual([])
  })

  test(`${name}: a video of the gallery becomes a text`, async () => {
    const kit = await begin()
    const { id } = await uploadVideo(kit)
    const { jobId } = await kit.sessionApi.ai.transcribe({ body: { mediaId: id, language: 'en-US' } })
    await kit.service.pass(2 * minuteMs)
    await expect(read(kit, jobId)).resolves.toMatchObject({ status: 'completed' })
  })

  test(`${name}: trouble that passes delays a job, trouble that stays fails it without a charge`, async () => {
    const kit = await begin()
    const service = provider ?? 'transcribe'
    kit.service.ai.faults.add({ service, times: 1, fault: 'status', status: 503 })
    const first = await send(kit, recording)
    await kit.service.pass(4 * minuteMs)
    await expect(read(kit, first.jobId)).resolves.toMatchObject({ status: 'completed' })
    kit.service.ai.faults.add({ service, times: 100, fault: 'status', status: 500 })
    const second = await send(kit, recording)
    await kit.service.pass(10 * minuteMs)
    await expect(read(kit, second.jobId)).resolves.toMatchObject({
      status: 'failed',
      costMicroUsd: 0,
      error: { code: 'ai_unavailable' },
    })
    await expect(kit.sessionApi.ai.getUsage()).resolves.toMatchObject({ reservedMicroUsd: 0 })
  }, 60_000)
}

test('an error about a recording names the types and the size that are accepted', async () => {
  const kit = await start()
  const errorOf = async (body: Uint8Array<ArrayBuffer>, type: string) => {
    const headers = { Authorization: `Bearer ${kit.sessionToken}`, 'X-Workspace-Id': kit.workspaceId }
    const response = await fetch(`${kit.url}/api/ai/transcribe`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': type },
      body,
    })
    return ((await response.json()) as { error: string }).error
  }
  const rule = /at most 4500000 bytes with one of these content types: audio\/mpeg, audio\/mp4, /
  expect(await errorOf(new Uint8Array(0), 'audio/mpeg')).toMatch(rule)
  expect(await errorOf(recording, 'audio/aac')).toMatch(rule)
  expect(await errorOf(new Uint8Array(2_000_000), 'audio/aac')).toMatch(rule)
  expect(await errorOf(new Uint8Array(20_000_000), 'audio/mpeg')).toMatch(/4500000 bytes of a recording/)
})

test('a recording above 4.5 MB is rejected with 413, one below is accepted', async () => {
  const kit = await start()
  expect(await send(kit, new Uint8Array(4_500_001))).toMatchObject({ status: 413, code: 'body_too_large' })
  expect(await send(kit, new Uint8Array(4_500_000))).toMatchObject({ status: 202 })
  expect(await send(kit, new Uint8Array(0))).toMatchObject({ status: 400, code: 'body_required' })
  expect(await send(kit, recording, 'application/octet-stream')).toMatchObject({
    status: 400,
    code: 'unsupported_content_type',
  })
})

test('a repeat with the same Idempotency-Key is one job; another recording with it is rejected', async () => {
  const kit = await start()
  const first = await send(kit, recording, 'audio/mpeg', 'once')
  expect(await send(kit, recording, 'audio/mpeg', 'once')).toEqual(first)
  const other = await send(kit, recording.slice(1), 'audio/mpeg', 'once')
  expect(other).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

test('an image, a missing file, and what is no speech are rejected', async () => {
  const kit = await start()
  const { id } = await makeAsset(kit)
  const { transcribe } = kit.sessionApi.ai
  await expect(transcribe({ body: { mediaId: id } })).rejects.toMatchObject({ code: 'media_without_speech' })
  await expect(transcribe({ body: { mediaId: 'med_missing' } })).rejects.toMatchObject({ code: 'media_not_found' })
  const { jobId } = await send(kit, 'not speech at all')
  await kit.service.pass(2 * minuteMs)
  await expect(read(kit, jobId)).resolves.toMatchObject({
    status: 'failed',
    costMicroUsd: 0,
    error: { code: 'media_without_speech' },
  })
})

test('a file that is larger than the provider takes is rejected with 413', async () => {
  const kit = await start({ ai: { provider: 'openai' } })
  const { id } = await uploadVideo(kit)
  await update(kit.ctx, assets.key({ workspaceId: kit.workspaceId, id }), { set: { fileSize: 25_000_001 } })
  const refused = kit.sessionApi.ai.transcribe({ body: { mediaId: id } })
  await expect(refused).rejects.toMatchObject({ status: 413, code: 'media_too_large' })
})

test('returns 503 without speech recognition', async () => {
  const kit = await start({ ai: { speech: 'off' } })
  expect(await send(kit, recording)).toMatchObject({ status: 503, code: 'speech_not_configured' })
})
