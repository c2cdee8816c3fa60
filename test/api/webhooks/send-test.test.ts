import { expect, test } from 'vitest'
import { start } from '../../support/start.ts'
import { logOf, makeHook, receivedBy } from '../../webhooks/hooks.ts'

test('a test delivery comes signed like any other, marked as a test, to this endpoint only', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'hook', { events: ['social_account.reconnect_required', 'post.cancelled'] })
  await makeHook(kit, 'other', { events: ['social_account.reconnect_required'] })
  const sent = await kit.sessionApi.webhooks.sendTest({ params: { id } })
  const now = new Date(kit.clock.now()).toISOString()
  expect(sent).toEqual({
    id: expect.stringMatching(/^dlv_/),
    endpointId: id,
    eventId: expect.stringMatching(/^evt_/),
    eventType: 'social_account.reconnect_required',
    attempt: 1,
    status: 'pending',
    test: true,
    nextAttemptAt: now,
    requestedAt: null,
    durationMs: null,
    httpStatus: null,
    errorCode: null,
    responseSnippet: null,
    createdAt: now,
  })
  await kit.service.drain()
  const [received] = receivedBy(kit, 'hook')
  expect(received?.verified).toBe(true)
  const event = JSON.parse(received?.rawBody ?? '')
  expect(event).toMatchObject({ id: sent.eventId, type: sent.eventType, data: { test: true, platform: 'bluesky' } })
  expect(kit.inbox.deliveries()).toHaveLength(1)
  const [logged] = await logOf(kit, id)
  expect(logged).toMatchObject({ id: sent.id, status: 'succeeded', test: true, httpStatus: 200, responseSnippet: 'ok' })
})

test.each([500, 410])('a test answered by %i is not repeated and switches nothing off', async (status) => {
  const kit = await start()
  const { id } = await makeHook(kit, 'hook')
  kit.inbox.behaviours.add({ name: 'hook', times: 1, status })
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.pass(10 * 60_000, { strikeMinutes: 5 })
  expect(await logOf(kit, id)).toMatchObject([{ status: 'failed', httpStatus: status, test: true }])
  expect(receivedBy(kit, 'hook')).toHaveLength(1)
  expect((await kit.sessionApi.webhooks.get({ params: { id } })).enabled).toBe(true)
})

test('a disabled endpoint can be tested', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'hook', { enabled: false })
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.drain()
  expect(receivedBy(kit, 'hook')).toHaveLength(1)
  expect(await logOf(kit, id)).toMatchObject([{ status: 'succeeded', test: true }])
})

test('a test whose message is lost is sent by the sweeper', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'hook')
  kit.service.queues.faults.onSend = () => 'lose'
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  kit.service.queues.faults.onSend = undefined
  await kit.service.drain()
  expect(receivedBy(kit, 'hook')).toEqual([])
  await kit.service.pass(3 * 60_000)
  expect(receivedBy(kit, 'hook')).toHaveLength(1)
})
