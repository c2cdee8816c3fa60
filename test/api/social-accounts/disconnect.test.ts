import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import { update } from '../../../shared/db/table.ts'
import { refresh } from '../../../shared/platforms/bluesky/session.ts'
import { decryptCredentials } from '../../../shared/social-accounts/refresh-credentials.ts'
import { socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { minuteMs } from '../../../shared/time.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { accountOf, eventsOf, listen, liveCount, scheduleOn } from '../../journeys/author.ts'
import { failureOf } from '../../platforms/site.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeSignedIn } from '../../support/world/preparations.ts'

const { handle: identifier, appPassword } = blueskySeed.account

let kit: Kit
let beforeForgetting: (() => Promise<unknown>) | undefined
beforeAll(async () => {
  kit = await start({
    observe: async ({ functionName, action }, run) => {
      if (functionName === 'social-accounts-disconnect' && action === 'TransactWriteItems') await beforeForgetting?.()
      return run()
    },
  })
  await listen(kit)
})
afterAll(() => kit.close())

const connect = () => kit.sessionApi.socialAccounts.connectBluesky({ body: { identifier, appPassword } })
beforeEach(connect)
afterEach(() => {
  beforeForgetting = undefined
  kit.platforms.faults.clear()
})

const disconnect = (id = kit.accounts.bluesky, api = kit.sessionApi) =>
  api.socialAccounts.disconnect({ params: { id } })
const keyOf = () => ({ workspaceId: kit.workspaceId, id: kit.accounts.bluesky })

const rowOf = async () => {
  const row = await socialAccounts.get(kit.ctx, keyOf())
  const workspace = await workspaces.get(kit.ctx, { id: kit.workspaceId })
  if (!row || !workspace) throw new Error('a row is missing')
  return { row, credentials: await decryptCredentials(kit.ctx, workspace, row) }
}

const logouts = () => kit.platforms.calls().filter(({ operation }) => operation === 'logout').length

test('revokes the access at the platform, deletes the credentials, and says so', async () => {
  const { row, credentials } = await rowOf()
  const before = logouts()
  expect(await disconnect()).toEqual({
    id: kit.accounts.bluesky,
    deleted: true,
    revoked: true,
    scheduledPosts: 0,
    message: 'Bluesky access was revoked.',
  })
  expect(logouts() - before).toBe(1)
  // No one can continue with revoked credentials.
  expect(await failureOf(refresh(kit.ctx, { ...row, credentials }))).toMatchObject({ errorClass: 'auth' })
  expect((await rowOf()).credentials).toEqual({})
  expect(await accountOf(kit, 'bluesky')).toMatchObject({ isConnected: false, needsReconnect: false })
})

test('counts scheduled posts, rejects new ones, and fails them at their time with a clear error', async () => {
  const one = await scheduleOn(kit, 'bluesky', 'Too late for me', 10 * minuteMs)
  expect(await disconnect()).toMatchObject({
    scheduledPosts: 1,
    message: 'Bluesky access was revoked. 1 scheduled post will fail unless you reconnect the account or cancel it.',
  })
  await expect(scheduleOn(kit, 'bluesky', 'refused', 10 * minuteMs)).rejects.toMatchObject({
    status: 400,
    body: expect.objectContaining({ code: 'account_disconnected' }),
  })
  await kit.service.pass(12 * minuteMs)
  expect(await kit.api.posts.get({ params: { id: one.id } })).toMatchObject({
    status: 'failed',
    error: 'The account is disconnected. Reconnect it, then reschedule the post.',
  })
  expect(eventsOf(kit, one.id).at(-1)).toMatchObject({
    type: 'post.publish_failed',
    data: { reason: 'account_disconnected', retrySafe: true },
  })
  expect(liveCount(kit, 'Too late for me')).toBe(0)
})

test('reconnecting restores the id, and the posts are published', async () => {
  const posts = [
    await scheduleOn(kit, 'bluesky', 'Saved', 10 * minuteMs),
    await scheduleOn(kit, 'bluesky', 'Saved too', 10 * minuteMs),
  ]
  expect((await disconnect()).message).toContain('2 scheduled posts will fail unless')
  expect((await connect()).id).toBe(kit.accounts.bluesky)
  expect(await accountOf(kit, 'bluesky')).toMatchObject({ isConnected: true })
  await kit.service.pass(12 * minuteMs)
  for (const { id } of posts) expect((await kit.api.posts.get({ params: { id } })).status).toBe('published')
})

test('disconnects while the platform is unreachable, and says what is left to do', async () => {
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'logout', times: 1, fault: 'html_503' })
  expect(await disconnect()).toMatchObject({
    revoked: false,
    message: 'Bluesky access could not be revoked from here. Remove the service in the settings of Bluesky.',
  })
  expect((await rowOf()).credentials).toEqual({})
  expect((await accountOf(kit, 'bluesky'))?.isConnected).toBe(false)
})

test('returns 404 for an account that is not connected or does not exist', async () => {
  await disconnect()
  const missing = { status: 404, body: expect.objectContaining({ code: 'account_not_found' }) }
  await expect(disconnect()).rejects.toMatchObject(missing)
  await expect(disconnect('acc_nobody')).rejects.toMatchObject(missing)
})

test('returns 404 for the account of another workspace', async () => {
  const { token } = await makeSignedIn(kit)
  const alone = client({ baseUrl: kit.url, token })
  const { id: workspaceId } = await alone.workspaces.create({ body: { name: 'Other', timezone: 'UTC' } })
  const api = client({ baseUrl: kit.url, token, workspaceId })
  await expect(disconnect(kit.accounts.bluesky, api)).rejects.toMatchObject({ status: 404 })
  expect((await accountOf(kit, 'bluesky'))?.isConnected).toBe(true)
})

test('a concurrent refresh does not keep the account connected', async () => {
  const { credentials } = await rowOf()
  beforeForgetting = async () => {
    beforeForgetting = undefined
    await update(kit.ctx, socialAccounts.key(keyOf()), { add: { credentialsVersion: 1 } })
  }
  expect(await disconnect()).toMatchObject({ deleted: true, revoked: true })
  expect(credentials).not.toEqual({})
  expect((await rowOf()).credentials).toEqual({})
})

test('returns 409 for an account that keeps changing', async () => {
  beforeForgetting = () => update(kit.ctx, socialAccounts.key(keyOf()), { add: { credentialsVersion: 1 } })
  const before = logouts()
  await expect(disconnect()).rejects.toMatchObject({
    status: 409,
    body: expect.objectContaining({ code: 'concurrent_update' }),
  })
  expect(logouts()).toBe(before)
  expect((await accountOf(kit, 'bluesky'))?.isConnected).toBe(true)
})

test('one of two concurrent disconnections succeeds, the other returns 404', async () => {
  const before = logouts()
  const ends = await Promise.allSettled([disconnect(), disconnect()])
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(ends.find((end) => end.status === 'rejected')).toMatchObject({ reason: { status: 404 } })
  expect(logouts() - before).toBe(1)
})
