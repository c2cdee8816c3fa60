import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { emit, makeHook, sweep } from '../../webhooks/hooks.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const statisticsOf = async (endpointId: string) => {
  kit.clock.pass(minuteMs)
  const { endpoints } = await kit.sessionApi.webhooks.getStatistics()
  return endpoints.find((endpoint) => endpoint.endpointId === endpointId)
}
const nothing = { count: 0, p50Ms: null, p99Ms: null, maxMs: null }

test('an endpoint to which nothing was sent has no rate and no percentiles; a test is not counted', async () => {
  const { id, name } = await makeHook(kit, 'quiet')
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.drain()
  expect(await statisticsOf(id)).toEqual({
    endpointId: id,
    name,
    from: null,
    to: null,
    count: 0,
    succeeded: 0,
    failed: 0,
    exhausted: 0,
    pending: 0,
    discarded: 0,
    successRate: null,
    duration: nothing,
    latency: nothing,
    errors: [],
  })
})

test('attempts are counted by their results; the latency of a delivery includes the attempts before it', async () => {
  const { id } = await makeHook(kit, 'told')
  await emit(kit)
  await kit.service.drain()
  kit.inbox.behaviors.add({ name: 'told', times: 1, status: 503 })
  await emit(kit)
  await kit.service.drain()
  await sweep(kit)
  const seen = await statisticsOf(id)
  expect(seen).toMatchObject({ count: 3, succeeded: 2, failed: 1, exhausted: 0, pending: 0, successRate: 2 / 3 })
  expect(seen?.errors).toEqual([{ error: 'HTTP 503', count: 1 }])
  expect(seen?.duration.count).toBe(3)
  expect(seen?.latency.count).toBe(2)
  // The second event was delivered after a wait of 5 s, give or take a fifth.
  expect(seen?.latency.maxMs).toBeGreaterThanOrEqual(4_000)
})
