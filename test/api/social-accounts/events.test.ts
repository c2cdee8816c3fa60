import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { commitForSweeper } from '../../../shared/commit/commit-for-sweeper.ts'
import { requireReconnect } from '../../../shared/social-accounts/require-reconnect.ts'
import { socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeHook, newBlueskyLogin } from '../../support/world/preparations.ts'

const types = ['social_account.connected' as const, 'social_account.disconnected' as const]

let kit: Kit
beforeAll(async () => {
  kit = await start()
  await makeHook(kit, 'accounts', types)
})
afterAll(() => kit.close())

const deliveredEvents = () => kit.inbox.deliveries().map(({ rawBody }) => JSON.parse(rawBody))

/** The API by a token of these scopes. */
const apiOf = async (...scopes: string[]) => {
  const body = { name: 'backend', workspaceId: kit.workspaceId, scopes }
  const { token, id } = await kit.sessionApi.cli.createToken({ body })
  return { id, api: client({ baseUrl: kit.url, token, workspaceId: kit.workspaceId }) }
}

test('each change of a connection is one event with its number, delivered within seconds', async () => {
  const { api } = await apiOf('accounts:write', 'accounts:read')
  const { id } = await api.socialAccounts.connectBluesky({ body: { ...newBlueskyLogin, externalId: 'customer-42' } })
  await kit.service.pass(3000)
  await api.socialAccounts.disconnect({ params: { id } })
  await kit.service.pass(3000)
  await api.socialAccounts.connectBluesky({ body: newBlueskyLogin })
  await kit.service.pass(3000)
  const events = deliveredEvents()
  const account = { socialAccountId: id, platform: 'bluesky', username: newBlueskyLogin.identifier }
  expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
    {
      type: 'social_account.connected',
      data: { ...account, externalId: 'customer-42', reconnected: false, sequence: 1, previousEventId: null },
    },
    {
      type: 'social_account.disconnected',
      data: { ...account, externalId: 'customer-42', sequence: 2, previousEventId: events[0].id },
    },
    {
      type: 'social_account.connected',
      // A reconnect without an id keeps the one before.
      data: { ...account, externalId: 'customer-42', reconnected: true, sequence: 3, previousEventId: events[1].id },
    },
  ])
  expect(kit.bus.events().map((event) => event['detail-type'])).toEqual(events.map(({ type }) => type))
  const accounts = await api.socialAccounts.list({ query: { externalId: 'customer-42' } })
  expect(accounts.map((account) => [account.id, account.externalId])).toEqual([[id, 'customer-42']])
  expect(await api.socialAccounts.list({ query: { externalId: 'customer-4' } })).toEqual([])
})

test('connecting while the connection is lost counts both', async () => {
  const { api } = await apiOf('*')
  const login = { body: newBlueskyLogin }
  const { id } = await api.socialAccounts.connectBluesky(login)
  const key = { workspaceId: kit.workspaceId, id }
  const before = await socialAccounts.get(kit.ctx, key)
  const workspace = await workspaces.get(kit.ctx, { id: kit.workspaceId })
  if (!before || !workspace) throw new Error('the account has no row')
  const loss = { errorClass: 'auth', message: 'Ended.' } as const
  await Promise.all([
    ...[1, 2, 3].map(() => api.socialAccounts.connectBluesky(login)),
    requireReconnect(kit.ctx, workspace, before, { error: loss, commit: commitForSweeper }),
  ])
  await kit.service.pass(120_000)
  const { items } = await kit.sessionApi.webhooks.listEventLog({ query: { limit: 200 } })
  const sequences = items.filter(({ data }) => data['socialAccountId'] === id).map(({ data }) => data['sequence'])
  const { eventCount } = (await socialAccounts.get(kit.ctx, key)) ?? {}
  expect([...sequences].sort()).toEqual(Array.from({ length: eventCount ?? 0 }, (_, index) => index + 1))
  expect(eventCount).toBeGreaterThanOrEqual(before.eventCount + 3)
})

test('the audit trail names the token that connected an account', async () => {
  const { api, id: tokenId } = await apiOf('accounts:write')
  const { id } = await api.socialAccounts.connectBluesky({ body: newBlueskyLogin })
  const trail = await kit.sessionApi.workspaces.listAudit({ params: { id: kit.workspaceId }, query: { targetId: id } })
  expect(trail.items[0]).toMatchObject({
    action: 'social_account.connected',
    actor: { userId: kit.user.id },
    credential: { type: 'token', id: tokenId },
  })
})
