import { expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, receivedBy, sweep } from './hooks.ts'

const plannedSeconds = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 57_600, 64_800, 72_000]

/** Another event, which the receiver takes: the endpoint as such is well. */
const deliverOther = async (kit: Kit) => {
  await emit(kit)
  await kit.service.drain()
}

test('an event that its receiver never accepts gets 13 attempts in about 76 h 42 m, then fails', async () => {
  const kit = await start()
  const { id, secret: _, ...hook } = await makeHook(kit, 'picky')
  const refuseNext = () => kit.inbox.behaviors.add({ name: 'picky', times: 1, status: 500 })
  refuseNext()
  await emit(kit)
  await kit.service.drain()
  const [{ eventId } = { eventId: '' }] = await logOf(kit, id)
  const triesOf = () => receivedBy(kit, 'picky').filter(({ headers }) => headers['x-service-event-id'] === eventId)
  const rowsOf = async () => (await logOf(kit, id)).filter((row) => row.eventId === eventId)
  const startMs = kit.clock.now()
  for (const [n, seconds] of plannedSeconds.entries()) {
    await deliverOther(kit)
    const [pending, ...more] = (await rowsOf()).filter(({ status }) => status === 'pending')
    const before = (await rowsOf()).at(-2)
    expect(more).toEqual([])
    expect(pending).toMatchObject({ attempt: n + 2, requestedAt: null, durationMs: null, httpStatus: null })
    const dueMs = Date.parse(pending?.nextAttemptAt ?? '')
    const waitSeconds = (dueMs - Date.parse(before?.requestedAt ?? '')) / 1000
    expect(waitSeconds).toBeGreaterThanOrEqual(seconds * 0.8)
    expect(waitSeconds).toBeLessThanOrEqual(seconds * 1.2)
    kit.clock.set(dueMs - 1)
    await kit.service.drain()
    expect(triesOf(), 'nothing before its time').toHaveLength(n + 1)
    refuseNext()
    // The queue carries short waits, the sweeper finds the others.
    if (seconds > 900) await sweep(kit)
    else await kit.service.pass(2000)
    const arrived = triesOf()
    expect(arrived).toHaveLength(n + 2)
    expect((arrived.at(-1)?.receivedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
    expect((arrived.at(-1)?.receivedAt ?? 0) - dueMs).toBeLessThanOrEqual(60_000)
  }
  const hours = (kit.clock.now() - startMs) / 3_600_000
  expect(hours).toBeGreaterThan(76.7 * 0.8)
  expect(hours).toBeLessThan(76.7 * 1.2 + 0.25)
  const log = await rowsOf()
  expect(log.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 13 }, (_, n) => n + 1))
  expect(log.map(({ status }) => status)).toEqual([...Array(12).fill('failed'), 'exhausted'])
  await kit.service.pass(3 * 86_400_000, { tickMinutes: 720 })
  expect(triesOf()).toHaveLength(13)
  // Every try is signed afresh, so that the receiver's window of 300 s holds for the last as for the first.
  for (const { verified, headers, receivedAt } of triesOf()) {
    expect(verified).toBe(true)
    expect(Number(headers['x-service-timestamp'])).toBe(Math.floor(receivedAt / 1000))
  }
  expect(triesOf().map(({ headers }) => headers['x-service-delivery-id'])).toEqual(log.map((row) => row.id))
  const attempts = triesOf().map(({ headers }) => headers['x-service-delivery-attempt'])
  expect(attempts).toEqual(log.map(({ attempt }) => String(attempt)))
  await deliverOther(kit)
  expect(await kit.sessionApi.webhooks.get({ params: { id } })).toEqual({ id, ...hook })
})

test('a success ends the attempts', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'shaky')
  kit.inbox.behaviors.add({ name: 'shaky', times: 2, status: 503 })
  await emit(kit)
  await kit.service.pass(60_000)
  await kit.service.pass(4 * 86_400_000, { tickMinutes: 720 })
  expect((await logOf(kit, id)).map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded'])
  const received = receivedBy(kit, 'shaky')
  expect(received.map(({ answered }) => answered)).toEqual([503, 503, 200])
  expect(new Set(received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(3)
  expect(new Set(received.map(({ rawBody }) => rawBody)).size).toBe(1)
})
