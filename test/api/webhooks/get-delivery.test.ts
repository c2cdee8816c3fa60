import { afterAll, beforeAll, expect, test } from 'vitest'
import { update } from '../../../shared/db/table.ts'
import { deliveries } from '../../../shared/webhooks/deliveries/lifecycle/row.ts'
import { type Kit, start } from '../../support/start.ts'
import { emit, logOf, makeHook } from '../../webhooks/hooks.ts'
import { refusalOf } from './refusal.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

test('returns an attempt as the log shows it, also after its endpoint is deleted, until it expires', async () => {
  const { id } = await makeHook(kit, 'hook')
  await emit(kit)
  await kit.service.drain()
  const [row] = await logOf(kit, id)
  const deliveryId = row?.id ?? ''
  const read = (of: { id: string; deliveryId: string } = { id, deliveryId }) =>
    kit.sessionApi.webhooks.getDelivery({ params: of })
  expect(row?.status).toBe('succeeded')
  expect(await read()).toEqual(row)
  await kit.sessionApi.webhooks.delete({ params: { id } })
  expect(await read()).toEqual(row)
  expect(await refusalOf(read({ id: 'whe_none', deliveryId }))).toMatchObject({ status: 404, field: 'id' })
  for (const other of ['none', `${deliveryId.slice(0, -1)}2`]) {
    expect(await refusalOf(read({ id, deliveryId: other }))).toMatchObject({ status: 404, field: 'deliveryId' })
  }
  const key = deliveries.key({ workspaceId: kit.workspaceId, endpointId: id, id: deliveryId })
  await update(kit.ctx, key, { set: { ttl: kit.clock.now() / 1000 } })
  expect(await refusalOf(read())).toMatchObject({ status: 404, field: 'deliveryId' })
})
