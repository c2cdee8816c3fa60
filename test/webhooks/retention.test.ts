import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute, workerTable } from '../../functions/routes.ts'
import { removeRows } from '../../shared/db/bulk.ts'
import { keyOf } from '../../shared/db/table.ts'
import { hourMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { scanTable } from '../support/world/rows.ts'
import { emit, logOf, makeHook, receivedBy } from './hooks.ts'

/** Events are retained for a day, on every read path. */
const keepOneDay = ({ service }: Kit) => {
  for (const { name } of [...everyRoute, ...workerTable]) {
    const ctx = service.contextOf(name)
    const { env } = ctx
    ctx.env = (variable) => (variable === 'EVENT_RETENTION_DAYS' ? '1' : env(variable))
  }
}

/** What the table does by itself, some time after it may. */
const removeExpired = async (kit: Kit) => {
  const gone = (await scanTable(kit)).filter(({ ttl }) => Number(ttl) * 1000 < kit.clock.now())
  await removeRows(kit.ctx, gone.map(keyOf))
}

let kit: Kit
beforeAll(async () => {
  kit = await start()
  keepOneDay(kit)
})
afterAll(() => kit.close())

test('a short retention shortens what is shown, never what is still to be delivered', async () => {
  const { id } = await makeHook(kit, 'hook')
  kit.inbox.behaviors.add({ name: 'hook', times: 1000, status: 500 })
  await emit(kit)
  await kit.service.pass(50 * hourMs, { tickMinutes: 240 })
  await removeExpired(kit)
  expect((await kit.sessionApi.webhooks.listEventLog({ query: {} })).items).toEqual([])
  expect(await logOf(kit, id)).toEqual([])
  kit.inbox.behaviors.clear()
  await kit.service.pass(24 * hourMs, { tickMinutes: 120 })
  const answers = receivedBy(kit, 'hook').map(({ answered, headers }) => [headers['x-service-event-id'], answered])
  const [eventId] = answers[0] ?? []
  expect(answers.at(-1)).toEqual([eventId, 200])
  expect(answers.filter(([, answered]) => answered === 200)).toHaveLength(1)
})

test('deletes what is past all its attempts', async () => {
  kit.clock.pass(6 * 24 * hourMs)
  await removeExpired(kit)
  const left = (await scanTable(kit)).filter(({ type }) => ['Outbox', 'Delivery'].includes(String(type)))
  expect(left).toEqual([])
})
