import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { eventTypes } from '../../shared/events/types.ts'
import { minuteMs } from '../../shared/time.ts'
import { scheduleBoth } from '../journeys/author.ts'
import { type Kit, start } from '../support/start.ts'
import { scanTable } from '../support/world/rows.ts'
import { emit, logOf, makeHook, receivedBy, removeHooks } from './hooks.ts'
import { matches, Pattern } from './pattern.ts'

const year = 365 * 86_400_000

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())
afterEach(async () => {
  Object.assign(kit.bus.faults, { down: false, onEntry: undefined })
  await removeHooks(kit)
  kit.inbox.reset()
})

const Envelope = z.object({ id: z.string(), type: z.string(), data: z.object({ groupId: z.optional(z.string()) }) })

/** What is on the bus about a group of posts, in the order in which it came. */
const onBus = (groupId: string) =>
  kit.bus.events().filter(({ detail }) => z.parse(Envelope, detail).data.groupId === groupId)

const groupOf = ({ id } = { id: '' }) => id.slice(0, 26)

const idsOnBus = (groupId: string) => onBus(groupId).map(({ detail }) => detail['id'])

/** Outbox rows that are still to be relayed. */
const unrelayed = async () =>
  (await scanTable(kit)).filter((row) => row['type'] === 'Outbox' && row['sweepAtMs'] !== undefined)

test('an event is on the bus in the same envelope as in webhooks', async () => {
  await makeHook(kit, 'hook')
  const groupId = groupOf(await emit(kit))
  await kit.service.drain()
  const [delivery] = receivedBy(kit, 'hook')
  const envelope = JSON.parse(delivery?.rawBody ?? '')
  expect(onBus(groupId)).toEqual([
    {
      version: '0',
      id: expect.any(String),
      'detail-type': 'post.scheduled',
      source: 'social-publishing-service',
      account: '000000000000',
      region: 'us-east-1',
      time: `${envelope.createdAt.slice(0, 19)}Z`,
      resources: [],
      detail: envelope,
      bus: 'social-local-events',
    },
  ])
  expect(delivery?.headers['x-service-event-id']).toBe(idsOnBus(groupId)[0])
  expect(await (await fetch(`${kit.service.inboxUrl}/bus`)).text(), 'and is seen by people').toContain(envelope.id)
  expect(await unrelayed()).toEqual([])
})

test('a workspace without endpoints has its events on the bus, each once and in order', async () => {
  const [post] = await scheduleBoth(kit, 'Nobody listens', year)
  await kit.service.drain()
  const { id = '' } = post ?? {}
  const groupId = groupOf(post)
  await kit.api.posts.cancel({ params: { id } })
  await kit.service.drain()
  expect(onBus(groupId).map((event) => event['detail-type'])).toEqual([
    'post.scheduled',
    'post.scheduled',
    'post.cancelled',
  ])
  expect(new Set(idsOnBus(groupId)).size).toBe(3)
})

test('test events are not sent to the bus', async () => {
  const { id } = await makeHook(kit, 'hook')
  const before = kit.bus.events().length
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.pass(10 * minuteMs)
  expect(receivedBy(kit, 'hook')).toHaveLength(1)
  expect(kit.bus.events()).toHaveLength(before)
})

test('an outage of the bus delays no webhook, and the bus gets the missed events afterwards', async () => {
  const { id } = await makeHook(kit, 'hook')
  kit.bus.faults.down = true
  const groupId = groupOf(await emit(kit))
  await kit.service.drain()
  const [delivery] = receivedBy(kit, 'hook')
  expect(await logOf(kit, id)).toMatchObject([{ status: 'succeeded' }])
  expect(kit.logged.join('\n')).toContain('The bus is down')
  // Longer than SQS gives a message before it goes to the dead letters.
  await kit.service.pass(40 * minuteMs, { tickMinutes: 5 })
  expect(onBus(groupId)).toEqual([])
  expect(await unrelayed()).toHaveLength(1)
  kit.bus.faults.down = false
  await kit.service.pass(20 * minuteMs, { tickMinutes: 5 })
  expect(idsOnBus(groupId)).toEqual([delivery?.headers['x-service-event-id']])
  expect(await unrelayed()).toEqual([])
  expect(receivedBy(kit, 'hook'), 'and the webhook came once').toHaveLength(1)
  expect(await logOf(kit, id)).toHaveLength(1)
})

test('when the bus rejects one of several events, all arrive in the end with the same ids', async () => {
  await makeHook(kit, 'hook')
  let refusals = 1
  kit.bus.faults.onEntry = () => (refusals-- > 0 ? 'ThrottlingException' : undefined)
  const [post] = await scheduleBoth(kit, 'Half of it', year)
  const groupId = groupOf(post)
  await kit.service.drain()
  const receivedIds = receivedBy(kit, 'hook').map(({ headers }) => headers['x-service-event-id'])
  expect(receivedIds).toHaveLength(2)
  expect(idsOnBus(groupId)).toHaveLength(1)
  await kit.service.pass(10 * minuteMs)
  expect(new Set(idsOnBus(groupId))).toEqual(new Set(receivedIds))
  expect(await unrelayed()).toEqual([])
  expect(receivedBy(kit, 'hook')).toHaveLength(2)
})

const section = readFileSync(join(import.meta.dirname, '../../infra/openapi/guides/event-bus.md'), 'utf8')

/** The words of the rule are real ones; its workspace is the reader's. */
const Written = z.object({ source: z.array(z.string()), 'detail-type': z.array(z.enum(eventTypes)), detail: Pattern })

test('the pattern in the guide matches exactly the events of its workspace and types', async () => {
  const [, json = ''] = /^```json\n(.*?)^```$/ms.exec(section) ?? []
  const written = z.parse(Written, JSON.parse(json))
  const pattern = { ...written, detail: { workspace: { id: [kit.workspaceId] } } }
  const [post] = await scheduleBoth(kit, 'Watched by a rule', minuteMs)
  const groupId = groupOf(post)
  await kit.service.pass(5 * minuteMs)
  const picked = onBus(groupId).filter((event) => matches(pattern, event))
  expect(picked.map((event) => event['detail-type'])).toEqual(['post.published', 'post.published'])
  expect(onBus(groupId).filter((event) => matches(written, event))).toEqual([])
  expect(onBus(groupId)).toHaveLength(4)
})
