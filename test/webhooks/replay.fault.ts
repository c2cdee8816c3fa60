import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { send } from '../../shared/aws/queue.ts'
import { update } from '../../shared/db/table.ts'
import { outbox } from '../../shared/events/outbox.ts'
import { deliveryStatuses } from '../../shared/webhooks/deliveries/lifecycle/row.ts'
import { replayEvents } from '../../shared/webhooks/replays/step.ts'
import { endReplay, replayWork } from '../../shared/webhooks/replays/work.ts'
import { expectSound } from '../journeys/invariants.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, receivedBy, removeHooks } from './hooks.ts'
import { layAttempts, layEvents, momentOf } from './replays.ts'

const second = 1000

let kit: Kit
/** Done once, between the moment a step has read the attempts and the moment it puts one there. */
let concurrentAct: (() => Promise<unknown>) | undefined
beforeAll(async () => {
  kit = await start({
    observe: async ({ functionName, action }, run) => {
      const act = functionName === 'replay-events' && action === 'PutItem' ? concurrentAct : undefined
      if (act) concurrentAct = undefined
      await act?.()
      return run()
    },
  })
})
beforeEach(async () => {
  await removeHooks(kit)
  kit.inbox.reset()
  // What is laid here lies behind all that was laid before.
  kit.clock.pass(60 * second)
})
afterAll(() => kit.close())

const ago = (ms: number) => new Date(kit.clock.now() - ms).toISOString()
const idsAt = (name: string) => receivedBy(kit, name).map(({ rawBody }) => JSON.parse(rawBody).id)
const { parse } = JSON

type Body = Parameters<Kit['sessionApi']['webhooks']['replay']>[0]['body']
const replay = (id: string, body: Partial<Body> = {}) =>
  kit.sessionApi.webhooks.replay({ params: { id }, body: { since: ago(30 * second), ...body } })
const progress = (replayId: string) => kit.sessionApi.webhooks.getReplay({ params: { replayId } })

test('sends the events of a disabled period in order, and nothing that was delivered', async () => {
  const { id } = await makeHook(kit, 'hook')
  const set = (enabled: boolean) => kit.sessionApi.webhooks.update({ params: { id }, body: { enabled } })
  const emitEvent = async () => {
    await emit(kit)
    await kit.service.drain()
  }
  await emitEvent()
  await set(false)
  for (let n = 0; n < 3; n += 1) await emitEvent()
  await set(true)
  await emitEvent()
  expect(idsAt('hook')).toHaveLength(2)
  const before = new Set(idsAt('hook'))
  const { replayId, ...answer } = await replay(id)
  expect(answer).toEqual({
    endpointId: id,
    status: 'running',
    reason: null,
    scope: 'failed',
    eventTypes: ['post.scheduled'],
    since: ago(30 * second),
    until: ago(0),
    matched: 3,
    queued: 0,
    nextSince: null,
    createdAt: ago(0),
    finishedAt: null,
  })
  await kit.service.drain()
  const again = receivedBy(kit, 'hook')
    .slice(2)
    .map(({ rawBody }) => parse(rawBody))
  expect(again.map((event) => before.has(event.id))).toEqual([false, false, false])
  const log = (await logOf(kit, id)).filter(({ cause }) => cause === 'replay')
  expect(log.map(({ attempt, status, eventId }) => [attempt, status, eventId])).toEqual(
    again.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).map((event) => [1, 'succeeded', event.id]),
  )
  expect(await progress(replayId)).toEqual({
    ...answer,
    replayId,
    status: 'completed',
    queued: 3,
    finishedAt: ago(0),
  })
  // Once delivered, they are not replayed again.
  expect(await replay(id)).toMatchObject({ matched: 0 })
  await kit.service.drain()
})

test('`all` resends everything except what is pending, with the original ids', async () => {
  const { id } = await makeHook(kit, 'hook')
  kit.inbox.behaviors.add({ name: 'hook', times: 1, status: 500 })
  for (let n = 0; n < 3; n += 1) await emit(kit)
  await kit.service.drain()
  const first = await logOf(kit, id)
  expect(first.map(({ status }) => status).toSorted()).toEqual(['failed', 'pending', 'succeeded', 'succeeded'])
  const { replayId } = await replay(id, { scope: 'all' })
  await kit.service.drain()
  expect(await progress(replayId)).toMatchObject({ status: 'completed', matched: 2, queued: 2 })
  const again = (await logOf(kit, id)).filter(({ cause }) => cause === 'replay')
  const taken = first.filter(({ status }) => status === 'succeeded').map(({ eventId }) => eventId)
  expect(again.map(({ eventId, attempt }) => [eventId, attempt])).toEqual(taken.map((eventId) => [eventId, 2]))
  await kit.service.pass(10 * second)
})

test('for any history, a replay sends what the rows say', async () => {
  const status = fc.constantFrom(...deliveryStatuses.filter((candidate) => candidate !== 'pending'))
  const history = fc.record({
    past: fc.array(status, { maxLength: 3 }),
    waits: fc.boolean(),
    type: fc.constantFrom('post.scheduled' as const, 'post.cancelled' as const),
  })
  const scope = fc.constantFrom('failed' as const, 'all' as const)
  const holds = fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 12 }), scope, async (pasts, scope) => {
    kit.clock.pass(60 * second)
    const { id } = await makeHook(kit, 'any', { events: ['post.scheduled'] })
    const events: Awaited<ReturnType<typeof layEvents>> = []
    for (const { type } of pasts) {
      kit.clock.pass(1)
      events.push(...(await layEvents(kit, 1, { type })))
    }
    const histories = pasts.map(({ past, waits }, n) => {
      const event = events[n]
      if (event === undefined) throw new Error('the event is not there')
      return { event, statuses: [...past, ...(waits ? (['pending'] as const) : [])] }
    })
    await layAttempts(kit, id, histories)
    const expected = histories.filter(({ event: { type }, statuses }) => {
      const isTaken = scope === 'failed' && statuses.includes('succeeded')
      return type === 'post.scheduled' && !statuses.includes('pending') && !isTaken
    })
    const { replayId, matched } = await replay(id, { scope })
    expect(matched).toBe(expected.length)
    await kit.service.drain()
    expect(await progress(replayId)).toMatchObject({ status: 'completed', queued: expected.length })
    const made = (await logOf(kit, id)).filter(({ cause }) => cause === 'replay')
    expect(made.map(({ eventId, attempt }) => [eventId, attempt])).toEqual(
      expected.map(({ event, statuses }) => [event.id, statuses.length + 1]),
    )
    await kit.sessionApi.webhooks.delete({ params: { id } })
  })
  await fc.assert(holds, { numRuns: 8 })
})

test('sends fifty a second, and duplicated messages do not send more', async () => {
  const { id } = await makeHook(kit, 'hook')
  const events = await layEvents(kit, 105, { perRow: 35 })
  const { replayId, matched } = await replay(id)
  expect(matched).toBe(105)
  const body = { workspaceId: kit.workspaceId, replayId }
  const double = () => send(kit.ctx, 'replay', { body, group: id })
  await double()
  await kit.service.drain()
  expect(await progress(replayId)).toMatchObject({ status: 'running', queued: 50 })
  await double()
  await kit.service.pass(second / 2)
  await double()
  await kit.service.drain()
  expect(idsAt('hook').toSorted()).toEqual(
    events
      .slice(0, 50)
      .map((event) => event.id)
      .toSorted(),
  )
  await kit.service.pass(second / 2)
  expect(await progress(replayId)).toMatchObject({ status: 'running', queued: 100 })
  await kit.service.pass(second)
  expect(await progress(replayId)).toMatchObject({ status: 'completed', queued: 105, finishedAt: ago(0) })
  expect(idsAt('hook').toSorted()).toEqual(events.map((event) => event.id).toSorted())
  expect(new Set(idsAt('hook').slice(0, 50))).toEqual(new Set(events.slice(0, 50).map((event) => event.id)))
})

test('sends only the given types and time range, never tests and nothing expired', async () => {
  const { id } = await makeHook(kit, 'hook')
  const [first, second, third] = await layEvents(kit, 3)
  await layEvents(kit, 1, { type: 'post.cancelled' })
  if (!first || !second || !third) throw new Error('the events are not there')
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.drain()
  kit.inbox.reset()
  const cases: [Partial<Body>, number][] = [
    [{ since: momentOf(second) }, 2],
    [{ since: momentOf(first), until: momentOf(second) }, 2],
    [{ since: momentOf(second), until: momentOf(second) }, 1],
    [{ eventTypes: ['post.cancelled'] }, 1],
    [{ eventTypes: ['post.cancelled', 'post.scheduled', 'post.cancelled'] }, 4],
    [{ eventTypes: ['post.published'], scope: 'all' }, 0],
  ]
  for (const [body, matched] of cases) {
    const other = await makeHook(kit, 'other')
    expect([body, (await replay(other.id, body)).matched]).toEqual([body, matched])
    await kit.service.drain()
    expect(idsAt('other')).toHaveLength(matched)
    kit.inbox.reset()
    await kit.sessionApi.webhooks.delete({ params: { id: other.id } })
  }
  const key = outbox.key({ workspaceId: kit.workspaceId, id: first.outboxId })
  await update(kit.ctx, key, { set: { ttl: kit.clock.now() / 1000 } })
  const { matched } = await replay(id)
  await kit.service.drain()
  expect([matched, idsAt('hook').toSorted()]).toEqual([2, [second.id, third.id].toSorted()])
})

test('when a replay reaches its limit, the next continues from the point it returns', async () => {
  const { id } = await makeHook(kit, 'hook')
  const events = await layEvents(kit, 10)
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName === 'social-local-replay' ? 'lose' : 'keep')
  const { replayId, matched } = await replay(id, { scope: 'all' })
  expect(matched).toBe(10)
  await replayEvents(kit.ctx, { workspaceId: kit.workspaceId, replayId }, { max: 7, perStep: 50 })
  kit.service.queues.faults.onSend = undefined
  const over = await progress(replayId)
  expect(over).toMatchObject({ status: 'completed', queued: 7 })
  const since = over.nextSince ?? ''
  expect(momentOf(events[6] ?? events[0] ?? { id: '', type: 'post.scheduled', outboxId: '', eventIndex: 0 })).toBe(
    since,
  )
  const rest = await replay(id, { since })
  await kit.service.drain()
  expect(await progress(rest.replayId)).toMatchObject({ status: 'completed', matched: 3, queued: 3 })
  expect(idsAt('hook').toSorted()).toEqual(events.map((event) => event.id).toSorted())
})

test('the worker counts what is too much to count in the request', async () => {
  const { id } = await makeHook(kit, 'hook')
  await layEvents(kit, 2100)
  const { replayId, matched } = await replay(id)
  expect(matched).toBeNull()
  await kit.service.deliver()
  expect(await progress(replayId)).toMatchObject({ status: 'running', matched: 2100, queued: 50 })
  await kit.sessionApi.webhooks.delete({ params: { id } })
  await kit.service.pass(second)
  expect(await progress(replayId)).toMatchObject({ status: 'cancelled', reason: 'endpoint_deleted', queued: 50 })
})

test('events with more attempts than one read are each evaluated in full', async () => {
  const { id } = await makeHook(kit, 'hook')
  const events = await layEvents(kit, 5)
  const statuses = Array.from({ length: 350 }, () => 'exhausted' as const)
  const histories = events.slice(0, 4).map((event, n) => ({
    event,
    statuses: n === 2 ? [...statuses.slice(1), 'succeeded' as const] : statuses,
  }))
  await layAttempts(kit, id, histories)
  const { replayId, matched } = await replay(id)
  expect(matched).toBe(4)
  await kit.service.drain()
  expect(await progress(replayId)).toMatchObject({ status: 'completed', matched: 4, queued: 4 })
  const expected = [...events.slice(0, 2), ...events.slice(3)].map((event) => event.id)
  expect(idsAt('hook').toSorted()).toEqual(expected.toSorted())
})

test('a replay ends when its endpoint is disabled and makes room for another', async () => {
  const { id } = await makeHook(kit, 'hook')
  await layEvents(kit, 60)
  const { replayId } = await replay(id)
  await kit.service.drain()
  const set = (enabled: boolean) => kit.sessionApi.webhooks.update({ params: { id }, body: { enabled } })
  await set(false)
  await kit.service.pass(second)
  expect(await progress(replayId)).toMatchObject({
    status: 'cancelled',
    reason: 'endpoint_disabled',
    queued: 50,
    finishedAt: ago(0),
  })
  await set(true)
  expect(await replay(id)).toMatchObject({ matched: 10 })
  await kit.service.drain()
  expect(new Set(idsAt('hook')).size).toBe(60)
})

test('does not duplicate a concurrent redelivery', async () => {
  const { id } = await makeHook(kit, 'hook')
  const [event] = await layEvents(kit, 1)
  if (!event) throw new Error('the event is not there')
  await layAttempts(kit, id, [{ event, statuses: ['exhausted'] }])
  const [row] = await logOf(kit, id)
  concurrentAct = () => kit.sessionApi.webhooks.redeliver({ params: { id, deliveryId: row?.id ?? '' } })
  const { replayId } = await replay(id)
  await kit.service.drain()
  expect(await progress(replayId)).toMatchObject({ status: 'completed', matched: 1, queued: 0 })
  expect((await logOf(kit, id)).map(({ cause, status }) => `${cause} ${status}`)).toEqual([
    'event exhausted',
    'redelivery succeeded',
  ])
  expect(idsAt('hook')).toEqual([event.id])
})

test('leaves events that are not relayed yet to the relay', async () => {
  const { id } = await makeHook(kit, 'hook')
  await emit(kit)
  const { replayId, matched } = await replay(id, { scope: 'all' })
  expect(matched).toBe(0)
  // Nothing has been sent for it yet.
  await kit.service.deliver()
  expect(await progress(replayId)).toMatchObject({ status: 'completed', queued: 0 })
  await kit.service.drain()
  expect((await logOf(kit, id)).map(({ cause, status }) => `${cause} ${status}`)).toEqual(['event succeeded'])
  expect(await replay(id, { scope: 'all' })).toMatchObject({ matched: 1 })
  await kit.service.drain()
  // A row whose relay stopped because the bus was down blocks nothing once the sweeper restarts it.
  const [event] = await layEvents(kit, 1, { type: 'post.cancelled' })
  const key = outbox.key({ workspaceId: kit.workspaceId, id: event?.outboxId ?? '' })
  const pendingSweep = { sweepAtMs: kit.clock.now() + 60 * second, sweepCount: 0 }
  await update(kit.ctx, key, { set: pendingSweep })
  const body = { eventTypes: ['post.cancelled' as const] }
  expect(await replay(id, body)).toMatchObject({ matched: 0 })
  await kit.service.drain()
  await update(kit.ctx, key, { add: { sweepCount: 1 } })
  expect(await replay(id, body)).toMatchObject({ matched: 1 })
  await kit.service.drain()
  await update(kit.ctx, key, { remove: Object.keys(pendingSweep) })
})

test('a step that outlives its lease changes nothing', async () => {
  const { id } = await makeHook(kit, 'hook')
  await layEvents(kit, 60)
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName === 'social-local-replay' ? 'lose' : 'keep')
  const { replayId } = await replay(id)
  const message = { workspaceId: kit.workspaceId, replayId }
  const row = { workspaceId: kit.workspaceId, id: replayId }
  const claimed = await replayWork.claim(kit.ctx, row)
  if (!claimed) throw new Error('the replay was not taken')
  expect(await replayWork.claim(kit.ctx, row), 'while the lease lasts').toBeUndefined()
  kit.clock.pass(60 * second)
  await replayEvents(kit.ctx, message)
  const { counted, countedTo, matched } = claimed
  const counting = { counted, countedTo, matched }
  expect(await replayWork.continueAt(kit.ctx, claimed, 0, { set: { ...counting, doneTo: '', queued: 7 } })).toBe(false)
  await endReplay(kit.ctx, claimed, 'cancel', {})
  kit.service.queues.faults.onSend = undefined
  expect(await progress(replayId)).toMatchObject({ status: 'running', queued: 50 })
  await kit.service.pass(3 * 60 * second)
  expect(await progress(replayId)).toMatchObject({ status: 'completed', queued: 60 })
  expect(idsAt('hook')).toHaveLength(60)
})

test('sends nothing to a failing endpoint until it recovers, then everything', async () => {
  const { id } = await makeHook(kit, 'hook')
  kit.inbox.behaviors.add({ name: 'hook', times: 60, status: 500 })
  await emit(kit)
  await kit.service.pass(20 * 60 * second)
  expect((await kit.sessionApi.webhooks.get({ params: { id } })).status).toBe('failing')
  const before = idsAt('hook').length
  const events = await layEvents(kit, 3)
  const { replayId } = await replay(id)
  await kit.service.drain()
  expect(await progress(replayId)).toMatchObject({ status: 'completed', queued: 3 })
  expect(idsAt('hook')).toHaveLength(before)
  kit.inbox.behaviors.clear()
  await kit.service.pass(35 * 60 * second, { tickMinutes: 5 })
  expect(idsAt('hook').slice(before).toSorted()).toEqual(expect.arrayContaining(events.map((event) => event.id)))
  expect((await logOf(kit, id)).filter(({ cause }) => cause === 'replay').map(({ status }) => status)).toEqual(
    events.map(() => 'succeeded'),
  )
})

test('the sweeper resumes replays whose messages were lost', async () => {
  const { id } = await makeHook(kit, 'hook')
  await layEvents(kit, 60)
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName === 'social-local-replay' ? 'lose' : 'keep')
  const { replayId } = await replay(id)
  await kit.service.drain()
  expect(await progress(replayId)).toMatchObject({ status: 'running', queued: 0 })
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(3 * 60 * second)
  expect(await progress(replayId)).toMatchObject({ status: 'completed', queued: 60 })
  expect(new Set(idsAt('hook')).size).toBe(60)
})

test('leaves no incomplete work behind', async () => {
  await kit.service.pass(3_600_000, { tickMinutes: 20 })
  await expectSound(kit)
})
