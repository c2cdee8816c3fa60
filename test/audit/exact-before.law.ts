import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { refusalOf } from '../api/answers.ts'
import { start } from '../support/start.ts'
import { makeHook } from '../support/world/preparations.ts'

/** A service in which something happens just before a function writes, once. */
const startDisturbed = async () => {
  let disturbance: { functionName: string; act: () => Promise<unknown> } | undefined
  const observe: ObserveFunction = async (effect, run) => {
    const now = disturbance
    if (effect.action === 'TransactWriteItems' && effect.functionName === now?.functionName) {
      disturbance = undefined
      await now.act()
    }
    return run()
  }
  const kit = await start({ observe })
  const before = (functionName: string, act: () => Promise<unknown>) => {
    disturbance = { functionName, act }
  }
  const entries = async (action: 'webhook_endpoint.updated') => {
    const { items } = await kit.sessionApi.workspaces.listAudit({ params: { id: kit.workspaceId }, query: { action } })
    return items.map(({ before, after }) => ({ before, after }))
  }
  return { kit, before, entries }
}

test('an entry about an endpoint says what was there before, also if another change came between', async () => {
  const { kit, before, entries } = await startDisturbed()
  const { id } = await makeHook(kit, 'first', ['post.scheduled'])
  const rename = (name: string) => kit.sessionApi.webhooks.update({ params: { id }, body: { name } })
  before('webhooks-update', async () => {
    await rename('second')
    // Entries of one millisecond have no order.
    kit.clock.pass(1)
  })
  expect(await rename('third')).toMatchObject({ name: 'third' })
  expect(await entries('webhook_endpoint.updated')).toMatchObject([
    { before: { name: 'second' }, after: { name: 'third' } },
    { before: { name: 'first' }, after: { name: 'second' } },
  ])
})

test('an endpoint that is deleted during its change is not found', async () => {
  const { kit, before } = await startDisturbed()
  const { id } = await makeHook(kit, 'first', ['post.scheduled'])
  const { update, delete: remove } = kit.sessionApi.webhooks
  before('webhooks-update', () => remove({ params: { id } }))
  expect(await refusalOf(update({ params: { id }, body: { name: 'second' } }))).toMatchObject({
    status: 404,
    code: 'webhook_endpoint_not_found',
  })
})

test('a workspace that is renamed during its deletion is not deleted under its former name', async () => {
  const { kit, before } = await startDisturbed()
  const { workspaces } = kit.sessionApi
  const params = { id: kit.workspaceId }
  const { slug } = await workspaces.get({ params })
  before('workspaces-delete', () => workspaces.update({ params, body: { name: 'Another' } }))
  expect(await refusalOf(workspaces.delete({ params, query: { confirm: slug } }))).toMatchObject({
    status: 409,
    code: 'concurrent_update',
  })
  expect(await workspaces.get({ params })).toMatchObject({ name: 'Another' })
})
