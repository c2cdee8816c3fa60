import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../shared/context.ts'
import { equal } from '../../shared/db/expression.ts'
import { query } from '../../shared/db/table.ts'
import { deliveryId, outbox } from '../../shared/events/outbox.ts'
import { deliver } from '../../shared/webhooks/deliveries/deliver.ts'
import { listen } from '../net/listen.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, moveTo, removeHooks } from './hooks.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** One delivery to a receiver of the test's own; returns its log. */
const deliverTo = async (receiver: RequestListener) => {
  const origin = `http://127.0.0.1:${await listen(createServer(receiver))}`
  const env: Context['env'] = (name) => (name === 'ALLOWED_ORIGINS' ? origin : kit.ctx.env(name))
  const { id: endpointId } = await makeHook(kit, 'own')
  await moveTo(kit, endpointId, `${origin}/own`)
  await emit(kit)
  await kit.service.deliver()
  const { PK } = outbox.key({ workspaceId: kit.workspaceId, id: '' })
  const { items } = await query(kit.ctx, { key: equal('PK', PK), newestFirst: true, limit: 1 })
  const id = deliveryId(String(items[0]?.['SK']), 0, 1)
  await deliver({ ...kit.ctx, env }, { workspaceId: kit.workspaceId, endpointId, deliveryId: id })
  const log = await logOf(kit, endpointId)
  await removeHooks(kit)
  return log
}

test.each([
  ['short', Buffer.from('<b>nö</b>'), '<b>nö</b>'],
  ['long', Buffer.alloc(5000, 'a'), 'a'.repeat(4096)],
  ['cut within a character', Buffer.from(`a${'€'.repeat(2000)}`), `a${'€'.repeat(1365)}`],
  ['no text', Buffer.alloc(5000, 0xff), '\ufffd'.repeat(1365)],
  ['endless', Buffer.alloc(1_000_000, 'a'), 'a'.repeat(4096)],
])('at most 4 KiB of a response that is %s are stored, and its status counts', async (_title, body, stored) => {
  const [row, ...more] = await deliverTo((_request, response) => response.writeHead(200).end(body))
  expect(more).toEqual([])
  expect(row).toMatchObject({ status: 'succeeded', httpStatus: 200, errorCode: null })
  expect(row?.responseSnippet).toBe(stored)
})
