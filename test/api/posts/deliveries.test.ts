import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { dayMs, minuteMs } from '../../../shared/time.ts'
import { scheduleOn } from '../../journeys/author.ts'
import { type Kit, start } from '../../support/start.ts'
import { logOf, makeHook } from '../../webhooks/hooks.ts'

let kit: Kit
let hooks: { id: string }[]
beforeAll(async () => {
  kit = await start()
  const first = await makeHook(kit, 'first', { events: ['post.scheduled', 'post.published'] })
  hooks = [first, await makeHook(kit, 'second', { events: ['post.published'] })]
})
afterAll(() => kit.close())

const deliveriesOf = async (id: string) => (await kit.sessionApi.posts.listDeliveries({ params: { id } })).items

test('each event of a post is listed with the attempts at each endpoint, as their logs have them', async () => {
  kit.inbox.behaviors.add({ name: 'second', times: 1, status: 503 })
  const { id } = await scheduleOn(kit, 'bluesky', 'told twice', 5 * minuteMs)
  const other = await scheduleOn(kit, 'bluesky', 'another one', 7 * minuteMs)
  await kit.service.pass(9 * minuteMs)
  const [scheduled, published, ...more] = await deliveriesOf(id)
  expect(more).toEqual([])
  expect([scheduled?.eventType, published?.eventType]).toEqual(['post.scheduled', 'post.published'])
  const shown = [scheduled, published].flatMap((event) => event?.deliveries ?? [])
  expect(shown.map(({ endpointId, attempt, status }) => ({ endpointId, attempt, status }))).toEqual([
    { endpointId: hooks[0]?.id, attempt: 1, status: 'succeeded' },
    { endpointId: hooks[0]?.id, attempt: 1, status: 'succeeded' },
    { endpointId: hooks[1]?.id, attempt: 1, status: 'failed' },
    { endpointId: hooks[1]?.id, attempt: 2, status: 'succeeded' },
  ])
  const logged = (await Promise.all(hooks.map((hook) => logOf(kit, hook.id)))).flat()
  expect(logged).toEqual(expect.arrayContaining(shown))
  expect(JSON.stringify(await deliveriesOf(other.id))).not.toContain(published?.eventId)
})

test('an event without a subscriber has no attempts; a redelivery is one more', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'moved', 60 * minuteMs)
  await kit.service.drain()
  const scheduledAt = new Date(kit.clock.now() + 90 * minuteMs).toISOString()
  await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt } })
  await kit.service.drain()
  const [scheduled, moved] = await deliveriesOf(id)
  expect(moved).toMatchObject({ eventType: 'post.rescheduled', deliveries: [] })
  const [{ endpointId, id: deliveryId } = { endpointId: '', id: '' }] = scheduled?.deliveries ?? []
  await kit.sessionApi.webhooks.redeliver({ params: { id: endpointId, deliveryId } })
  await kit.service.drain()
  const [again] = await deliveriesOf(id)
  expect(again?.deliveries.map(({ cause }) => cause)).toEqual(['event', 'redelivery'])
})

test('the newest ten events are listed, the oldest of them first', async () => {
  const { id, dueMs } = await scheduleOn(kit, 'bluesky', 'moved often', 600 * minuteMs)
  for (let n = 1; n <= 12; n += 1) {
    kit.clock.pass(1)
    const scheduledAt = new Date(dueMs + n * minuteMs).toISOString()
    await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt } })
  }
  const items = await deliveriesOf(id)
  expect(items.map(({ eventType }) => eventType)).toEqual(Array.from({ length: 10 }, () => 'post.rescheduled'))
  expect(items.map(({ eventId }) => eventId)).toEqual(items.map(({ eventId }) => eventId).toSorted())
})

test('a post that does not exist is not found, and a personal access token may not read webhooks', async () => {
  const unknown = { params: { id: 'a0000000-0000-4000-8000-000000000000' } }
  await expect(kit.sessionApi.posts.listDeliveries(unknown)).rejects.toMatchObject({ code: 'post_not_found' })
  await expect(kit.api.posts.listDeliveries(unknown)).rejects.toMatchObject({ status: 403 })
})

test('an event that has expired is not listed', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'of last month', 60 * dayMs)
  kit.clock.pass(31 * dayMs)
  const { workspaceId, ctx, user } = kit
  const { token } = await openSession(ctx, { ...user, userId: user.id, userAgent: 'test' })
  const api = client({ baseUrl: kit.url, token, workspaceId })
  expect(await api.posts.listDeliveries({ params: { id } })).toEqual({ items: [] })
})
