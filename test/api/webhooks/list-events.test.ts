import { expect, test } from 'vitest'
import { eventTypes } from '../../../shared/webhooks/event.ts'
import { start } from '../../support/start.ts'
import { emit, makeHook, receivedBy } from '../../webhooks/hooks.ts'

test('the catalog has every type, told and shown', async () => {
  const kit = await start()
  const catalog = await kit.sessionApi.webhooks.listEvents()
  expect(catalog.map(({ type }) => type)).toEqual([...eventTypes])
  expect(new Set(catalog.map(({ description }) => description)).size).toBe(eventTypes.length)
  await makeHook(kit, 'hook')
  await emit(kit)
  await kit.service.drain()
  const { data } = JSON.parse(receivedBy(kit, 'hook')[0]?.rawBody ?? '')
  const { sequence: _, previousEventId: __, ...told } = data
  const example = catalog.find(({ type }) => type === 'post.scheduled')?.example ?? {}
  expect(Object.keys(example).sort()).toEqual(Object.keys(told).sort())
})
