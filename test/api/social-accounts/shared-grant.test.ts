import { expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { walkConnect } from '../../../infra/local/demo/walk-connect.ts'
import { minuteMs } from '../../../shared/time.ts'
import { accountOf, liveCount, scheduleOn } from '../../journeys/author.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { scanTable } from '../../support/world/rows.ts'

const leaves = (kit: Kit) => kit.platforms.calls().filter(({ operation }) => operation === 'leave').length
const holders = async (kit: Kit) => (await scanTable(kit)).filter(({ type }) => type === 'GrantHolder').length

/** The same server, connected to another workspace of the same person. */
const connectElsewhere = async (kit: Kit) => {
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name: 'Other', timezone: 'UTC' } })
  const api = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId })
  await walkConnect({ baseUrl: kit.url, token: kit.sessionToken, workspaceId }, 'discord')
  const [account] = await api.socialAccounts.list()
  if (!account) throw new Error('nothing was connected')
  const remove = () => api.workspaces.delete({ params: { id: workspaceId }, query: { confirm: 'other' } })
  return { disconnect: () => api.socialAccounts.disconnect({ params: { id: account.id } }), remove }
}

test('the bot leaves a Discord server with the last account that uses it', async () => {
  const kit = await start()
  const id = await connectOn(kit, 'discord')
  const { disconnect } = await connectElsewhere(kit)
  expect(await disconnect()).toMatchObject({
    revoked: false,
    message: 'Discord access stays until the last account that shares it is disconnected.',
  })
  expect(leaves(kit)).toBe(0)
  await scheduleOn(kit, 'discord', 'Still here', minuteMs)
  await kit.service.pass(2 * minuteMs)
  expect(liveCount(kit, 'Still here')).toBe(1)
  expect(await accountOf(kit, 'discord')).toMatchObject({ isConnected: true, needsReconnect: false })

  const last = await kit.sessionApi.socialAccounts.disconnect({ params: { id } })
  expect(last).toMatchObject({ revoked: true, message: 'Discord access was revoked.' })
  expect([leaves(kit), await holders(kit)]).toEqual([1, 0])
  // After a reconnect the bot is back, and posts are published again.
  expect(await connectOn(kit, 'discord')).toBe(id)
  await scheduleOn(kit, 'discord', 'Back again', minuteMs)
  await kit.service.pass(2 * minuteMs)
  expect(liveCount(kit, 'Back again')).toBe(1)
})

test('a removed bot counts as revoked; an unreachable Discord does not', async () => {
  const kit = await start()
  const id = await connectOn(kit, 'discord')
  const unknown = { status: 404, body: { message: 'Unknown Guild', code: 10004 } }
  kit.platforms.faults.add({ platform: 'discord', operation: 'leave', times: 1, fault: 'status', ...unknown })
  expect(await kit.sessionApi.socialAccounts.disconnect({ params: { id } })).toMatchObject({ revoked: true })
  await connectOn(kit, 'discord')
  kit.platforms.faults.add({ platform: 'discord', operation: 'leave', times: 1, fault: 'html_503' })
  expect(await kit.sessionApi.socialAccounts.disconnect({ params: { id } })).toMatchObject({
    revoked: false,
    message: 'Discord access could not be revoked from here. Remove the service in the settings of Discord.',
  })
})

test('deleting a workspace removes its bot from the server', async () => {
  const kit = await start()
  const id = await connectOn(kit, 'discord')
  const { remove } = await connectElsewhere(kit)
  await remove()
  await kit.service.pass(90 * minuteMs, { tickMinutes: 10 })
  expect(await holders(kit)).toBe(1)
  expect(await kit.sessionApi.socialAccounts.disconnect({ params: { id } })).toMatchObject({ revoked: true })
})
