import { afterAll, beforeAll, expect, test } from 'vitest'
import { update } from '../../../shared/db/table.ts'
import { outbox } from '../../../shared/events/outbox.ts'
import { hourMs } from '../../../shared/time.ts'
import {
  deliveries,
  maxAttempts,
  outboxIdOf,
  pendingDelivery,
} from '../../../shared/webhooks/deliveries/lifecycle/row.ts'
import { expectSound } from '../../journeys/invariants.ts'
import { type Kit, start } from '../../support/start.ts'
import { emit, logOf, makeHook, receivedBy, sweep } from '../../webhooks/hooks.ts'
import { refusalOf } from './refusal.ts'

let kit: Kit
/** Done once, between the moment a redelivery has read the attempts and the moment it writes. */
let concurrentAct: (() => Promise<unknown>) | undefined
let queueRefuses = false
beforeAll(async () => {
  kit = await start({
    observe: async ({ functionName, action }, run) => {
      const act = functionName === 'webhooks-redeliver' && action === 'TransactWriteItems' ? concurrentAct : undefined
      if (act) concurrentAct = undefined
      if (queueRefuses && action === 'SendMessage') throw new Error('the queue takes nothing')
      await act?.()
      return run()
    },
  })
})
afterAll(() => kit.close())

let made = 0
const label = (name: string) => `${name}-${made++}`

/** A new endpoint that has answered one event with this status. */
const deliverOnce = async (status: number) => {
  const name = label('hook')
  const { id } = await makeHook(kit, name)
  kit.inbox.behaviors.add({ name, times: 1, status })
  await emit(kit)
  await kit.service.drain()
  const again = (deliveryId: string, idempotencyKey?: string) =>
    kit.sessionApi.webhooks.redeliver({ params: { id, deliveryId }, ...(idempotencyKey ? { idempotencyKey } : {}) })
  const log = () => logOf(kit, id)
  const states = async () => (await log()).map(({ attempt, cause, status }) => `${attempt} ${cause} ${status}`)
  const first = (await log())[0]?.id ?? ''
  const of = { workspaceId: kit.workspaceId, endpointId: id }
  const received = () => receivedBy(kit, name)
  return {
    id,
    name,
    first,
    again,
    log,
    states,
    received,
    of,
    remove: () => kit.sessionApi.webhooks.delete({ params: { id } }),
  }
}

test('redelivering a finished attempt sends the same event immediately with a new delivery id', async () => {
  const { id, first, again, log, received, remove } = await deliverOnce(200)
  const answer = await again(first)
  const now = new Date(kit.clock.now()).toISOString()
  expect(answer).toEqual({
    ...(await log())[0],
    id: `${first.slice(0, -2)}02`,
    endpointId: id,
    attempt: 2,
    cause: 'redelivery',
    status: 'pending',
    nextAttemptAt: now,
    createdAt: now,
    requestedAt: null,
    durationMs: null,
    httpStatus: null,
    errorCode: null,
    responseSnippet: null,
  })
  await kit.service.drain()
  expect((await log())[1]).toMatchObject({ id: answer.id, status: 'succeeded', httpStatus: 200 })
  const [one, other] = received()
  expect(other?.rawBody).toBe(one?.rawBody)
  expect(other?.headers).toMatchObject({
    'x-service-event-id': answer.eventId,
    'x-service-delivery-id': answer.id,
    'x-service-delivery-attempt': '2',
  })
  // Any attempt of the event may be named, also one that was redelivered before.
  expect((await again(first)).attempt).toBe(3)
  await remove()
})

test('a failed redelivery gets all thirteen attempts, the first ones seconds apart', async () => {
  const { name, first, again, states, log, remove } = await deliverOnce(200)
  kit.inbox.behaviors.add({ name, times: 1, status: 500 })
  const { id } = await again(first)
  await kit.service.drain()
  const next = (await log()).find(({ status }) => status === 'pending')
  const waitMs = Date.parse(next?.nextAttemptAt ?? '') - kit.clock.now()
  expect([waitMs >= 4000, waitMs <= 6000]).toEqual([true, true])
  await kit.service.pass(7000)
  expect(await states()).toEqual(['1 event succeeded', '2 redelivery failed', '3 redelivery succeeded'])
  expect((await log())[1]?.id).toBe(id)
  await remove()
})

test('a waiting attempt is sent early, without a second attempt', async () => {
  const { name, first, again, states, of, received, remove } = await deliverOnce(500)
  kit.inbox.behaviors.add({ name, times: 3, status: 500 })
  await kit.service.pass(4 * 60_000)
  const waiting = await deliveries.get(kit.ctx, { ...of, id: `${first.slice(0, -2)}05` })
  expect(waiting).toMatchObject({ status: 'pending', step: 5 })
  const requests = received().length
  const answer = await again(first)
  expect(answer).toMatchObject({
    id: waiting?.id,
    attempt: 5,
    cause: 'redelivery',
    nextAttemptAt: new Date(kit.clock.now()).toISOString(),
  })
  expect(await deliveries.get(kit.ctx, { ...of, id: answer.id })).toMatchObject({
    step: 1,
    firstAtMs: kit.clock.now(),
  })
  await kit.service.drain()
  expect(received()).toHaveLength(requests + 1)
  expect((await states()).slice(3)).toEqual(['4 event failed', '5 redelivery succeeded'])
  // The message of its old time finds it done.
  await kit.service.pass(15 * 60_000, { tickMinutes: 5 })
  expect(received()).toHaveLength(requests + 1)
  await remove()
})

test('an attempt in progress is returned unchanged', async () => {
  const { first, again, of, log, remove } = await deliverOnce(500)
  const id = (await log())[1]?.id ?? ''
  await update(kit.ctx, deliveries.key({ ...of, id }), { set: { leaseUntilMs: kit.clock.now() + 60_000 } })
  const before = await deliveries.get(kit.ctx, { ...of, id })
  expect(await again(first)).toMatchObject({ id, cause: 'event', attempt: 2 })
  expect(await deliveries.get(kit.ctx, { ...of, id })).toEqual(before)
  await remove()
})

test('concurrent redeliveries create one attempt', async () => {
  const { first, again, states, received, remove } = await deliverOnce(200)
  const answers = await Promise.all(Array.from({ length: 5 }, () => again(first)))
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([`${first.slice(0, -2)}02`]))
  await kit.service.drain()
  expect(await states()).toEqual(['1 event succeeded', '2 redelivery succeeded'])
  expect(received()).toHaveLength(2)
  await remove()
})

test('an attempt that fails between read and write is replaced by the next one', async () => {
  const { name, first, again, states, received, remove } = await deliverOnce(500)
  kit.inbox.behaviors.add({ name, times: 1, status: 500 })
  concurrentAct = () => kit.service.pass(7000)
  const answer = await again(first)
  expect(answer).toMatchObject({ attempt: 3, cause: 'redelivery' })
  await kit.service.drain()
  expect(await states()).toEqual(['1 event failed', '2 event failed', '3 redelivery succeeded'])
  expect(received()).toHaveLength(3)
  await remove()
})

test('an attempt that is requested elsewhere and completes between read and write is followed by another', async () => {
  const { first, again, states, received, remove } = await deliverOnce(200)
  concurrentAct = async () => {
    await again(first)
    await kit.service.drain()
  }
  expect(await again(first)).toMatchObject({ attempt: 3, status: 'pending' })
  await kit.service.drain()
  expect(await states()).toEqual(['1 event succeeded', '2 redelivery succeeded', '3 redelivery succeeded'])
  expect(received()).toHaveLength(3)
  await remove()
})

test('an attempt that starts between read and write is returned unchanged', async () => {
  const { first, again, of, log, remove } = await deliverOnce(500)
  const id = (await log())[1]?.id ?? ''
  concurrentAct = () =>
    update(kit.ctx, deliveries.key({ ...of, id }), { set: { leaseUntilMs: kit.clock.now() + 60_000 } })
  expect(await again(first)).toMatchObject({ id, cause: 'event', attempt: 2 })
  expect(await deliveries.get(kit.ctx, { ...of, id })).toMatchObject({ cause: 'event', step: 2 })
  await remove()
})

test('redelivers to a failing endpoint; a success releases its other deliveries', async () => {
  const { id, name, first, again, states, log, remove } = await deliverOnce(500)
  kit.inbox.behaviors.add({ name, times: 60, status: 500 })
  await kit.service.pass(20 * 60_000)
  await emit(kit)
  await kit.service.drain()
  const { status } = await kit.sessionApi.webhooks.get({ params: { id } })
  const parked = (await log()).filter((row) => row.status === 'pending')
  expect([status, parked.length]).toEqual(['failing', 2])
  kit.inbox.behaviors.clear()
  await again(first)
  await kit.service.drain()
  await kit.service.pass(2000)
  expect((await states()).filter((state) => !state.endsWith('failed'))).toEqual([
    expect.stringContaining('redelivery succeeded'),
    '1 event succeeded',
  ])
  await remove()
})

test('with an Idempotency-Key, a repeated request returns the first response and delivers nothing twice', async () => {
  const { first, again, states, remove } = await deliverOnce(200)
  const one = await again(first, 'once')
  await kit.service.drain()
  expect(await again(first, 'once')).toEqual(one)
  const both = await Promise.all([again(first, 'both'), again(first, 'both')])
  expect(both[1]).toEqual(both[0])
  await kit.service.drain()
  expect(await states()).toEqual(['1 event succeeded', '2 redelivery succeeded', '3 redelivery succeeded'])
  await remove()
})

test('the sweeper sends a redelivery whose message the queue rejected', async () => {
  const { first, again, states, remove } = await deliverOnce(200)
  queueRefuses = true
  await again(first)
  queueRefuses = false
  await kit.service.drain()
  expect((await states())[1]).toBe('2 redelivery pending')
  await sweep(kit)
  await sweep(kit)
  expect((await states())[1]).toBe('2 redelivery succeeded')
  await remove()
})

test('rejects redelivery of a deleted, disabled, or expired target and of a test, and says why', async () => {
  const { id, first, again, of, remove } = await deliverOnce(200)
  const { webhooks } = kit.sessionApi
  for (const deliveryId of ['none', `${first.slice(0, -2)}09`]) {
    expect(await refusalOf(again(deliveryId))).toMatchObject({ status: 404, field: 'deliveryId' })
  }
  const elsewhere = webhooks.redeliver({ params: { id: 'whe_none', deliveryId: first } })
  expect(await refusalOf(elsewhere)).toMatchObject({ status: 404, field: 'id' })
  const { id: testId } = await webhooks.sendTest({ params: { id } })
  await kit.service.drain()
  expect(await refusalOf(again(testId))).toMatchObject({ status: 409, code: 'test_not_redeliverable' })
  await webhooks.update({ params: { id }, body: { enabled: false } })
  expect(await refusalOf(again(first))).toMatchObject({ status: 409, code: 'webhook_endpoint_disabled' })
  await webhooks.update({ params: { id }, body: { enabled: true } })
  const event = outbox.key({ workspaceId: kit.workspaceId, id: outboxIdOf(first) })
  const { ttl } = (await outbox.get(kit.ctx, { workspaceId: kit.workspaceId, id: outboxIdOf(first) })) ?? { ttl: 0 }
  await update(kit.ctx, event, { set: { ttl: kit.clock.now() / 1000 } })
  expect(await refusalOf(again(first))).toMatchObject({ status: 404, error: expect.stringContaining('expired') })
  await update(kit.ctx, event, { set: { ttl } })
  const row = await deliveries.get(kit.ctx, { ...of, id: first })
  if (row === undefined) throw new Error('the attempt is not there')
  const last = pendingDelivery({ ...row, attempt: maxAttempts }, 0, 0)
  await update(kit.ctx, deliveries.key(last), { set: { ...last, status: 'failed', outcome: row.outcome } })
  expect(await refusalOf(again(first))).toMatchObject({ status: 409, code: 'delivery_attempt_limit' })
  await remove()
  expect(await refusalOf(again(first))).toMatchObject({ status: 404, field: 'id' })
})

test('leaves no incomplete work behind', async () => {
  await kit.service.pass(hourMs, { tickMinutes: 20 })
  await expectSound(kit)
})
