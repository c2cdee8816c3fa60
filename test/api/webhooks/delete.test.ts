import { expect, test } from 'vitest'
import { start } from '../../support/start.ts'
import { emit, logOf, makeHook, receivedBy } from '../../webhooks/hooks.ts'
import { refusalOf } from './refusal.ts'

test('a deleted endpoint disappears everywhere and receives nothing more; its log remains', async () => {
  const kit = await start()
  const { sessionApi } = kit
  const { id } = await makeHook(kit, 'hook')
  const other = await makeHook(kit, 'other')
  await emit(kit)
  await kit.service.drain()
  expect(await sessionApi.webhooks.delete({ params: { id } })).toEqual({ id, deleted: true })
  expect((await sessionApi.webhooks.list()).map((hook) => hook.id)).toEqual([other.id])
  const params = { id }
  const calls: (() => Promise<unknown>)[] = [
    () => sessionApi.webhooks.get({ params }),
    () => sessionApi.webhooks.update({ params, body: { name: 'new' } }),
    () => sessionApi.webhooks.delete({ params }),
    () => sessionApi.webhooks.rotateSecret({ params }),
    () => sessionApi.webhooks.sendTest({ params }),
    () => sessionApi.webhooks.listDeliveries({ params: { id: 'whe_never' } }),
  ]
  for (const call of calls) expect(await refusalOf(call())).toMatchObject({ status: 404, field: 'id' })
  await emit(kit)
  await kit.service.drain()
  expect([receivedBy(kit, 'hook').length, receivedBy(kit, 'other').length]).toEqual([1, 2])
  expect((await logOf(kit, id)).map(({ status }) => status)).toEqual(['succeeded'])
})

test('one of several concurrent deletes succeeds, and the others return 404', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'hook')
  const remove = () => kit.sessionApi.webhooks.delete({ params: { id } })
  const answers = await Promise.allSettled([remove(), remove(), remove()])
  const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? 200 : answer.reason.status))
  expect(statuses.sort()).toEqual([200, 404, 404])
})
