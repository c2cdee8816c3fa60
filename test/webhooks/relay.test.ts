import { expect, test } from 'vitest'
import { send } from '../../shared/aws/queue.ts'
import { eventTypes } from '../../shared/events/types.ts'
import { dayMs } from '../../shared/time.ts'
import { deliver } from '../../shared/webhooks/deliveries/deliver.ts'
import { scheduleOn } from '../journeys/author.ts'
import { expectSound } from '../journeys/invariants.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, receivedBy } from './hooks.ts'

const typesAt = (kit: Kit, name: string) => receivedBy(kit, name).map(({ rawBody }) => JSON.parse(rawBody).type)

test('an endpoint gets only the types it subscribes to, from the moment it subscribes', async () => {
  const kit = await start()
  await makeHook(kit, 'all', { events: [...eventTypes] })
  await makeHook(kit, 'cancelled', { events: ['post.cancelled'] })
  const off = await makeHook(kit, 'off', { events: ['post.scheduled', 'post.cancelled'], enabled: false })
  const { id } = await scheduleOn(kit, 'bluesky', 'Hello', dayMs)
  await kit.service.drain()
  const scheduledAt = new Date(kit.clock.now() + 2 * dayMs).toISOString()
  await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt } })
  await kit.service.drain()
  await kit.sessionApi.webhooks.update({ params: { id: off.id }, body: { enabled: true } })
  await kit.api.posts.cancel({ params: { id } })
  await kit.service.drain()
  expect(typesAt(kit, 'all')).toEqual(['post.scheduled', 'post.rescheduled', 'post.cancelled'])
  expect(typesAt(kit, 'cancelled')).toEqual(['post.cancelled'])
  expect(typesAt(kit, 'off')).toEqual(['post.cancelled'])
  expect((await logOf(kit, off.id)).map(({ eventType }) => eventType)).toEqual(['post.cancelled'])
  const ids = kit.inbox.deliveries().map(({ rawBody }) => JSON.parse(rawBody).id)
  expect(new Set(ids).size, 'an event has one id for all endpoints').toBe(3)
  await expectSound(kit)
})

test('an event has the envelope of the specification and matching headers', async () => {
  const kit = await start()
  await makeHook(kit, 'hook')
  const { id: postId, dueMs } = await emit(kit)
  await kit.service.drain()
  const [delivery] = receivedBy(kit, 'hook')
  const event = JSON.parse(delivery?.rawBody ?? '')
  expect(event).toEqual({
    id: delivery?.headers['x-service-event-id'],
    type: 'post.scheduled',
    apiVersion: '2026-11-21',
    createdAt: new Date(kit.clock.now()).toISOString(),
    workspace: { id: kit.workspaceId, name: 'Acme', slug: expect.any(String) },
    data: {
      postId,
      groupId: postId.slice(0, 26),
      socialAccountId: kit.accounts.bluesky,
      platform: 'bluesky',
      status: 'scheduled',
      content: 'Hello',
      contentTruncated: false,
      scheduledAt: new Date(dueMs).toISOString(),
      publishedPostUrl: null,
      error: null,
      sequence: 1,
      previousEventId: null,
    },
  })
  expect(delivery).toMatchObject({ verified: true, headers: { 'webhook-id': event.id } })
})

test('duplicated, late, and concurrent messages deliver once', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'hook')
  await emit(kit)
  const [relay] = kit.service.queues.peek('social-local-events')
  const body = JSON.parse(relay?.body ?? '')
  for (let n = 0; n < 3; n += 1) await send(kit.ctx, 'events', { body, group: kit.workspaceId })
  await kit.service.deliver({ together: true })
  const [row] = await logOf(kit, id)
  const message = { workspaceId: kit.workspaceId, endpointId: id, deliveryId: row?.id ?? '' }
  for (let n = 0; n < 3; n += 1) await send(kit.ctx, 'deliver', { body: message, group: kit.workspaceId })
  await kit.service.deliver({ together: true, order: 'shuffled' })
  await send(kit.ctx, 'events', { body, group: kit.workspaceId })
  await send(kit.ctx, 'deliver', { body: message, group: kit.workspaceId })
  await kit.service.pass(5 * 60_000)
  expect(receivedBy(kit, 'hook')).toHaveLength(1)
  expect(await logOf(kit, id)).toMatchObject([{ attempt: 1, status: 'succeeded' }])
})

test('when every second message is lost, the sweeper finds events and deliveries', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'hook')
  kit.inbox.behaviors.add({ name: 'hook', times: 1, status: 500 })
  const lost = new Set<string>()
  kit.service.queues.faults.onSend = ({ queueName }) => {
    if (lost.delete(queueName)) return 'keep'
    lost.add(queueName)
    return 'lose'
  }
  await emit(kit)
  await kit.service.drain()
  expect(receivedBy(kit, 'hook')).toEqual([])
  await kit.service.pass(10 * 60_000)
  expect((await logOf(kit, id)).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  expect(receivedBy(kit, 'hook')).toHaveLength(2)
})

test('the messages of each endpoint are their own group, so that no backlog delays another', async () => {
  const kit = await start()
  const ids = [(await makeHook(kit, 'one')).id, (await makeHook(kit, 'two')).id]
  await emit(kit)
  await kit.service.deliver()
  const waiting = kit.service.queues.peek('social-local-deliver')
  expect(waiting.map(({ groupId }) => groupId).sort()).toEqual(ids.sort())
  for (const { groupId, body } of waiting) expect(JSON.parse(body)).toMatchObject({ endpointId: groupId })
})

test('without a bus, a single delivery skips the relay, unless another endpoint subscribes before it is sent', async () => {
  const invoked: string[] = []
  const kit = await start({
    eventBus: 'off',
    observe: ({ functionName }, run) => {
      invoked.push(functionName)
      return run()
    },
  })
  await makeHook(kit, 'first')
  await emit(kit)
  await kit.service.drain()
  expect(typesAt(kit, 'first')).toEqual(['post.scheduled'])
  expect(invoked).toContain('deliver-webhook')
  expect(invoked).not.toContain('relay-events')
  await emit(kit)
  await makeHook(kit, 'second')
  await kit.service.drain()
  expect(invoked).toContain('relay-events')
  expect(typesAt(kit, 'first')).toHaveLength(2)
  expect(typesAt(kit, 'second')).toEqual(['post.scheduled'])
  expect(kit.bus.events()).toEqual([])
  // Nothing is left for the sweeper.
  const before = kit.inbox.deliveries().length
  await kit.service.pass(10 * 60_000)
  expect(kit.inbox.deliveries()).toHaveLength(before)
  await expectSound(kit)
})

test('a retry whose message arrives twice at the same time is sent once', async () => {
  const kit = await start()
  const { id: endpointId } = await makeHook(kit, 'hook')
  kit.inbox.behaviors.add({ name: 'hook', times: 1, status: 500 })
  kit.service.queues.faults.onSend = ({ body }) => (body.includes(`"attempt":2`) ? 'lose' : 'keep')
  await emit(kit)
  await kit.service.pass(200)
  const [retry] = await logOf(kit, endpointId, { status: 'pending' })
  kit.clock.set(Date.parse(retry?.nextAttemptAt ?? ''))
  const message = { workspaceId: kit.workspaceId, endpointId, deliveryId: retry?.id ?? '' }
  await Promise.all([deliver(kit.ctx, message), deliver(kit.ctx, message)])
  expect(receivedBy(kit, 'hook').map(({ answered }) => answered)).toEqual([500, 200])
})
