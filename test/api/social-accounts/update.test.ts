import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import type { Scope } from '../../../shared/identity/scope.ts'
import { type Kit, start } from '../../support/start.ts'
import { blueskyLogin } from '../../support/world/preparations.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const change = (externalId: string | null) =>
  kit.sessionApi.socialAccounts.update({ params: { id: kit.accounts.bluesky }, body: { externalId } })

const owner = async () =>
  (await kit.api.socialAccounts.list()).find(({ id }) => id === kit.accounts.bluesky)?.externalId

const entries = async () => {
  const query = { targetId: kit.accounts.bluesky, action: 'social_account.updated' as const }
  return (await kit.sessionApi.workspaces.listAudit({ params: { id: kit.workspaceId }, query })).items
}

test('the id of the owner is set, replaced, and removed, each with an entry in the trail', async () => {
  expect(await change('customer-1')).toMatchObject({ id: kit.accounts.bluesky, externalId: 'customer-1' })
  expect(await owner()).toBe('customer-1')
  kit.clock.pass(1_000)
  expect((await change('customer-2')).externalId).toBe('customer-2')
  kit.clock.pass(1_000)
  expect((await change(null)).externalId).toBeNull()
  expect(await owner()).toBeNull()
  const updates = await entries()
  expect(updates.map(({ before, after }) => [before['externalId'], after['externalId']])).toEqual([
    ['customer-2', null],
    ['customer-1', 'customer-2'],
    [null, 'customer-1'],
  ])
  // No change, no entry.
  await change(null)
  await kit.sessionApi.socialAccounts.update({ params: { id: kit.accounts.bluesky }, body: {} })
  expect(await entries()).toHaveLength(3)
})

test('a reconnect keeps the changed id, and the next event has it', async () => {
  await change('customer-3')
  expect((await kit.sessionApi.socialAccounts.connectBluesky({ body: blueskyLogin })).externalId).toBe('customer-3')
  expect(await owner()).toBe('customer-3')
  // The log holds back the last 90 seconds.
  kit.clock.pass(120_000)
  const { items } = await kit.sessionApi.webhooks.listEventLog({ query: { types: 'social_account.connected' } })
  expect(items.map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ externalId: 'customer-3', reconnected: true }),
  )
})

test('each of several concurrent changes has an entry, and the last one wins', async () => {
  const before = (await entries()).length
  const names = ['a', 'b', 'c']
  const results = await Promise.allSettled(names.map((name) => change(name)))
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.externalId] : []))
  expect(done).toContain(await owner())
  expect((await entries()).length - before).toBe(done.length)
})

test('it takes the scope accounts:write, an account of the workspace, and an id without line breaks', async () => {
  const tokenWith = async (scope: Scope) => {
    const body = { name: scope, workspaceId: kit.workspaceId, scopes: [scope] }
    const { token } = await kit.sessionApi.cli.createToken({ body })
    return client({ baseUrl: kit.url, token, workspaceId: kit.workspaceId })
  }
  const call = { params: { id: kit.accounts.bluesky }, body: { externalId: 'by-token' } }
  expect(await refusalOf((await tokenWith('accounts:read')).socialAccounts.update(call))).toMatchObject({ status: 403 })
  expect((await (await tokenWith('accounts:write')).socialAccounts.update(call)).externalId).toBe('by-token')
  expect(await refusalOf(change('a\nb'))).toMatchObject({ status: 400, field: 'externalId' })
  const unknown = { params: { id: 'acc_unknown' }, body: { externalId: 'x' } }
  expect(await refusalOf(kit.sessionApi.socialAccounts.update(unknown))).toMatchObject({
    status: 404,
    code: 'account_not_found',
  })
})
