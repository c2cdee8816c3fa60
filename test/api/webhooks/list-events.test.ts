import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiVersion } from '../../../shared/events/event.ts'
import type { OutboxRow } from '../../../shared/events/outbox.ts'
import { eventTypes } from '../../../shared/events/types.ts'
import { expectAsDocumented } from '../../journeys/event-contract.ts'
import { type Kit, start } from '../../support/start.ts'
import { emit, makeHook, receivedBy } from '../../webhooks/hooks.ts'

type Catalog = Awaited<ReturnType<Kit['sessionApi']['webhooks']['listEvents']>>

let kit: Kit
let catalog: Catalog
beforeAll(async () => {
  kit = await start()
  catalog = await kit.sessionApi.webhooks.listEvents()
})
afterAll(() => kit.close())

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const entryOf = (type: string) => {
  const entryOfType = catalog.find((entry) => entry.type === type)
  if (entryOfType === undefined) throw new Error(`the catalog has no ${type}`)
  return entryOfType
}

test('the catalog lists every type with its description, schema, and example', () => {
  expect(catalog.map(({ type }) => type)).toEqual([...eventTypes])
  expect(catalog.filter(({ extension }) => extension).map(({ type }) => type)).toEqual([
    'post.updated',
    'post.comment_published',
    'post.comment_failed',
    'post.live_deleted',
    'post.live_delete_failed',
    'post.live_edited',
    'post.live_edit_failed',
    'social_account.connected',
    'social_account.disconnected',
    'social_account.access_ending',
    'workspace.trial_ending',
    'workspace.payment_failed',
    'ai.completed',
  ])
  expect(new Set(catalog.map(({ description }) => description)).size).toBe(eventTypes.length)
  for (const entry of catalog) {
    expect(entry).toMatchObject({ apiVersion, schema: { type: 'object' } })
    // A receiver must take what is added later.
    expect(entry.schema).not.toHaveProperty('additionalProperties')
  }
})

test.each(eventTypes)('the example of %s matches its schema, and fails without any of its fields', (type) => {
  const { schema, example } = entryOf(type)
  const takes = ajv.compile(schema)
  expect([takes(example), takes.errors]).toEqual([true, null])
  for (const name of Object.keys(example)) {
    const { [name]: _, ...rest } = example
    expect({ name, taken: takes(rest) }).toEqual({ name, taken: false })
  }
  const envelope = { id: 'evt_1', type, apiVersion, createdAt: '', workspace: { id: 'w', name: 'W', slug: 'w' } }
  expectAsDocumented([{ ...envelope, data: example }])
})

test('deliveries match the catalog, and a test event is marked as a test', async () => {
  const { id } = await makeHook(kit, 'hook')
  await emit(kit)
  await kit.service.drain()
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.drain()
  const events: OutboxRow['events'] = receivedBy(kit, 'hook').map(({ rawBody }) => JSON.parse(rawBody))
  expect(events.map(({ data }) => data['test'])).toEqual([undefined, true])
  const { schema, example } = entryOf('post.scheduled')
  const takes = ajv.compile(schema)
  for (const { data } of events) {
    expect([takes(data), takes.errors]).toEqual([true, null])
    const { test: _, ...eventData } = data
    expect(Object.keys(eventData).sort()).toEqual(Object.keys(example).sort())
  }
  expectAsDocumented(events)
})
