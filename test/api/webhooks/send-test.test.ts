import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Kit, start } from '../../support/start.ts'
import { logOf, makeHook, receivedBy } from '../../webhooks/hooks.ts'
import { refusalOf } from './refusal.ts'

let kit: Kit
let counting: 'broken' | undefined
beforeAll(async () => {
  kit = await start({
    observe: ({ functionName, resource }, run) => {
      const counts = functionName === 'webhooks-send-test' && resource.endsWith('/RL#')
      return counting === 'broken' && counts ? Promise.reject(new Error('the table is away')) : run()
    },
  })
})
beforeEach(() => kit.inbox.reset())
afterAll(() => kit.close())

const sendTo = (id: string) => kit.sessionApi.webhooks.sendTest({ params: { id } })

test('a test delivery is signed like any other, marked as a test, and sent only to this endpoint', async () => {
  const { id } = await makeHook(kit, 'hook', { events: ['social_account.reconnect_required', 'post.cancelled'] })
  const other = await makeHook(kit, 'other', { events: ['social_account.reconnect_required'] })
  const sent = await sendTo(id)
  const now = new Date(kit.clock.now()).toISOString()
  expect(sent).toEqual({
    id: expect.stringMatching(/^dlv_/),
    endpointId: id,
    eventId: expect.stringMatching(/^evt_/),
    eventType: 'social_account.reconnect_required',
    attempt: 1,
    cause: 'test',
    status: 'pending',
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
  expect(await logOf(kit, other.id)).toEqual([])
  const [logged] = await logOf(kit, id)
  expect(logged).toMatchObject({ id: sent.id, status: 'succeeded', cause: 'test', httpStatus: 200 })
  expect(logged?.responseSnippet).toBe('ok')
})

test.each([500, 410])('a test answered with %i is not retried and disables nothing', async (status) => {
  const { id } = await makeHook(kit, 'hook')
  kit.inbox.behaviors.add({ name: 'hook', times: 1, status })
  await sendTo(id)
  await kit.service.pass(10 * 60_000, { tickMinutes: 5 })
  expect(await logOf(kit, id)).toMatchObject([{ status: 'failed', httpStatus: status, cause: 'test' }])
  expect(receivedBy(kit, 'hook')).toHaveLength(1)
  expect((await kit.sessionApi.webhooks.get({ params: { id } })).enabled).toBe(true)
})

test('a disabled endpoint can be tested', async () => {
  const { id } = await makeHook(kit, 'hook', { enabled: false })
  await sendTo(id)
  await kit.service.drain()
  expect(receivedBy(kit, 'hook')).toHaveLength(1)
  expect(await logOf(kit, id)).toMatchObject([{ status: 'succeeded', cause: 'test' }])
})

test('the sweeper sends a test whose message was lost', async () => {
  const { id } = await makeHook(kit, 'hook')
  kit.service.queues.faults.onSend = () => 'lose'
  await sendTo(id)
  kit.service.queues.faults.onSend = undefined
  await kit.service.drain()
  expect(receivedBy(kit, 'hook')).toEqual([])
  await kit.service.pass(3 * 60_000)
  expect(receivedBy(kit, 'hook')).toHaveLength(1)
})

test('an endpoint accepts ten tests a minute, then as many as Retry-After allows; other endpoints are not affected', async () => {
  const [{ id }, other] = [await makeHook(kit, 'hook'), await makeHook(kit, 'other')]
  // Of thirty concurrent requests at most ten pass.
  const answers = await Promise.allSettled(Array.from({ length: 30 }, () => sendTo(id)))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  const rateLimitExceeded = async () => {
    const error = await sendTo(id).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    const { status, body, headers } = error as { status: number; body: unknown; headers: Headers }
    expect([status, body]).toMatchObject([429, { code: 'rate_limited' }])
    return Number(headers.get('Retry-After'))
  }
  const seconds = await rateLimitExceeded()
  expect(seconds).toBe(6)
  await sendTo(other.id)
  kit.clock.pass(seconds * 1000 - 1)
  expect(await rateLimitExceeded()).toBe(1)
  kit.clock.pass(1)
  await sendTo(id)
  expect(await rateLimitExceeded()).toBe(6)
  kit.clock.pass(60_000)
  await kit.service.drain()
  expect(receivedBy(kit, 'hook')).toHaveLength(11)
})

test('when tests cannot be counted, none is sent, and the response and the log say so', async () => {
  const { id } = await makeHook(kit, 'hook')
  counting = 'broken'
  expect(await refusalOf(sendTo(id))).toMatchObject({ status: 503, code: 'unavailable' })
  counting = undefined
  expect(kit.logged.join('\n')).toContain('calls are not counted')
  expect(await logOf(kit, id)).toEqual([])
})
