import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeHook, removeHooks } from '../../webhooks/hooks.ts'
import { refusedAddresses } from './addresses.ts'
import { refusalOf } from './refusal.ts'

let kit: Kit
/** Done once, between the moment a change has read the endpoint and the moment it writes. */
let concurrentAct: (() => Promise<unknown>) | undefined
beforeAll(async () => {
  kit = await start({
    observe: async ({ functionName, action }, run) => {
      const act = functionName === 'webhooks-update' && action === 'TransactWriteItems' ? concurrentAct : undefined
      if (act) concurrentAct = undefined
      await act?.()
      return run()
    },
  })
})
beforeEach(() => removeHooks(kit))
afterAll(() => kit.close())

const makeOne = async () => {
  const { secret: _, ...hook } = await makeHook(kit, 'hook')
  const params = { id: hook.id }
  return {
    hook,
    change: (body: NonNullable<Parameters<Kit['sessionApi']['webhooks']['update']>[0]['body']>) =>
      kit.sessionApi.webhooks.update({ params, body }),
    read: () => kit.sessionApi.webhooks.get({ params }),
    remove: () => kit.sessionApi.webhooks.delete({ params }),
  }
}

test('each field changes independently of the others', async () => {
  const { hook, change, read } = await makeOne()
  const changes = [
    { name: 'new name' },
    { url: 'https://example.com/other' },
    { events: ['post.published' as const, 'post.cancelled' as const] },
    { enabled: false },
    { enabled: true },
    {},
  ]
  let expected = hook
  for (const body of changes) {
    kit.clock.pass(1000)
    const updatedAt = new Date(kit.clock.now()).toISOString()
    const { enabled = expected.enabled } = body
    const switched = {
      status: enabled ? ('active' as const) : ('disabled' as const),
      disabledAt: enabled ? null : updatedAt,
    }
    expected = { ...expected, ...body, ...switched, updatedAt }
    expect(await change(body)).toEqual(expected)
    expect(await read()).toEqual(expected)
  }
})

test('an update keeps concurrent changes of other fields', async () => {
  const { hook, change, read } = await makeOne()
  const others = { name: 'new', events: ['post.cancelled' as const], enabled: false }
  concurrentAct = () => change(others)
  await change({ url: 'https://example.com/new' })
  expect(await read()).toMatchObject({ ...others, url: 'https://example.com/new' })
  const { events, enabled } = others
  const workspace = await workspaces.get(kit.ctx, { id: kit.workspaceId })
  expect(workspace?.endpoints, 'what the fan-out goes by').toEqual([{ id: hook.id, events, enabled }])
})

test('an update of an endpoint deleted concurrently returns 404 and does not restore it', async () => {
  const { change, remove, read } = await makeOne()
  concurrentAct = remove
  expect(await refusalOf(change({ enabled: true }))).toMatchObject({ status: 404, field: 'id' })
  expect(await refusalOf(read())).toMatchObject({ status: 404 })
  expect(await kit.sessionApi.webhooks.list()).toEqual([])
})

test('rejects the same addresses as create, and keeps the old one', async () => {
  const { hook, change, read } = await makeOne()
  for (const url of refusedAddresses) {
    const refusal = await refusalOf(change({ name: 'new', url }))
    expect(refusal).toMatchObject({ status: 400, code: 'url_not_allowed', field: 'url' })
  }
  expect(await read()).toEqual(hook)
})

test.each([
  ['name', ''],
  ['events', []],
  ['events.0', ['post.unknown']],
  ['enabled', null],
  ['secret', 'whsec_own'],
])('rejects %s %j by name', async (field, value) => {
  const { change } = await makeOne()
  const [name = ''] = field.split('.')
  expect(await refusalOf(change({ [name]: value }))).toMatchObject({ status: 400, field })
})
