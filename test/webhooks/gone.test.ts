import { expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, receivedBy, sweep } from './hooks.ts'

test('410 disables the endpoint immediately and cancels its pending deliveries', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'gone')
  await makeHook(kit, 'other')
  kit.inbox.behaviors.add([
    { name: 'gone', times: 1, status: 500 },
    { name: 'gone', times: 1, status: 410 },
  ])
  await emit(kit)
  await kit.service.drain()
  await emit(kit)
  await kit.service.drain()
  const hook = await kit.sessionApi.webhooks.get({ params: { id } })
  expect(hook).toMatchObject({ enabled: false, disabledReason: 'The receiver returned 410 Gone.' })
  await emit(kit)
  await kit.service.pass(120_000)
  const log = await logOf(kit, id)
  expect(log.map(({ attempt, status, httpStatus }) => [attempt, status, httpStatus])).toEqual([
    [1, 'failed', 500],
    [2, 'discarded', null],
    [1, 'discarded', 410],
  ])
  expect(receivedBy(kit, 'gone')).toHaveLength(2)
  expect(receivedBy(kit, 'other')).toHaveLength(3)
  const again = await kit.sessionApi.webhooks.update({ params: { id }, body: { enabled: true } })
  expect(again).toMatchObject({ enabled: true, disabledReason: null })
  await emit(kit)
  await kit.service.drain()
  expect(receivedBy(kit, 'gone')).toHaveLength(3)
})

/** Lets something happen while the receiver of a kit is at work. */
const during = async (act: (kit: Kit) => Promise<unknown>) => {
  let acted = false
  const kit: Kit = await start({
    observe: async ({ service }, run) => {
      if (service !== 'webhook' || acted) return run()
      acted = true
      const answer = await run()
      await act(kit)
      return answer
    },
  })
  const { id } = await makeHook(kit, 'gone')
  kit.inbox.behaviors.add({ name: 'gone', times: 1, status: 410 })
  await emit(kit)
  await kit.service.drain()
  await kit.service.pass(10 * 60_000, { tickMinutes: 5 })
  return { kit, id, log: await logOf(kit, id), received: receivedBy(kit, 'gone') }
}

test('410 is logged and applied during concurrent changes to other endpoints', async () => {
  const { kit, id, log, received } = await during((kit) => makeHook(kit, 'new'))
  expect(received).toHaveLength(1)
  expect(log).toMatchObject([{ status: 'discarded', httpStatus: 410, errorCode: 'http_status' }])
  const hooks = await kit.sessionApi.webhooks.list()
  expect(hooks.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['gone', false],
    ['new', true],
  ])
  expect(hooks[0]?.id).toBe(id)
})

test('410 from an earlier URL is logged, and the new URL stays enabled', async () => {
  const { kit, id, log, received } = await during(async (kit) => {
    const [hook] = await kit.sessionApi.webhooks.list()
    const url = `${kit.service.inboxUrl}/hooks/new`
    await kit.sessionApi.webhooks.update({ params: { id: hook?.id ?? '' }, body: { url } })
  })
  expect(received).toHaveLength(1)
  expect(log).toMatchObject([{ status: 'discarded', httpStatus: 410 }])
  expect(await kit.sessionApi.webhooks.get({ params: { id } })).toMatchObject({ enabled: true, disabledReason: null })
  await emit(kit)
  await kit.service.drain()
  expect(receivedBy(kit, 'new')).toHaveLength(1)
})

test('410 from an endpoint deleted in the meantime is logged', async () => {
  const { log, received } = await during(async (kit) => {
    for (const { id } of await kit.sessionApi.webhooks.list()) await kit.sessionApi.webhooks.delete({ params: { id } })
  })
  expect(received).toHaveLength(1)
  expect(log).toMatchObject([{ status: 'discarded', httpStatus: 410 }])
})

test('pending deliveries of a deleted or disabled endpoint are dropped without a request', async () => {
  const kit = await start()
  const [deleted, disabled] = [await makeHook(kit, 'deleted'), await makeHook(kit, 'disabled')]
  const names = ['deleted', 'disabled']
  for (const name of names) kit.inbox.behaviors.add({ name, times: 1, status: 500 })
  await emit(kit)
  await kit.service.drain()
  await kit.sessionApi.webhooks.delete({ params: { id: deleted.id } })
  await kit.sessionApi.webhooks.update({ params: { id: disabled.id }, body: { enabled: false } })
  await emit(kit)
  await sweep(kit)
  for (const { id } of [deleted, disabled]) {
    const log = await logOf(kit, id)
    expect(log.map(({ status, requestedAt }) => [status, requestedAt !== null])).toEqual([
      ['failed', true],
      ['discarded', false],
    ])
  }
  expect(names.map((name) => receivedBy(kit, name).length)).toEqual([1, 1])
})
