import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import { get } from '../../../shared/db/table.ts'
import { adapterOf } from '../../../shared/platforms/adapters.ts'
import { renewAccount } from '../../../shared/social-accounts/renew.ts'
import { scheduleRenewal } from '../../../shared/social-accounts/schedule-renewal.ts'
import { socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { dayMs, minuteMs } from '../../../shared/time.ts'
import { listen, reportedLosses, scheduleOn } from '../../journeys/author.ts'
import { type Kit, start } from '../../support/start.ts'
import { openAnother } from '../../support/world/preparations.ts'

const { handle: identifier, appPassword } = blueskySeed.account

let kit: Kit
beforeAll(async () => {
  kit = await start()
  await listen(kit)
})
afterAll(() => kit.close())

/** The API with a session that has not ended in the months before. */
const signedIn = async () =>
  client({ baseUrl: kit.url, token: (await openAnother(kit)).token, workspaceId: kit.workspaceId })

let connectedAtMs = 0
beforeEach(async () => {
  await (await signedIn()).socialAccounts.connectBluesky({ body: { identifier, appPassword } })
  connectedAtMs = kit.clock.now()
})
afterEach(() => {
  kit.platforms.faults.clear()
  kit.service.queues.faults.onSend = () => 'keep'
})

const keyOf = (platform: 'bluesky' | 'discord') =>
  socialAccounts.key({ workspaceId: kit.workspaceId, id: kit.accounts[platform] })

const rowOf = async (platform: 'bluesky' | 'discord' = 'bluesky') => (await get(kit.ctx, keyOf(platform))) ?? {}

/** When an account is looked at next, in days after it was connected. */
const sweptInDays = async (platform?: 'discord') => {
  const { sweepAtMs } = await rowOf(platform)
  return sweepAtMs === undefined ? undefined : (Number(sweepAtMs) - connectedAtMs) / dayMs
}

const refreshes = () => kit.platforms.calls().filter(({ operation }) => operation === 'refresh').length

/** Lets days go by, and the sweeper come twice after them. */
const passDays = async (days: number, minutes = 2) => {
  kit.clock.pass(days * dayMs)
  await kit.service.pass(minutes * minuteMs)
}

test('refreshes unused credentials before they expire, and not earlier', async () => {
  const before = refreshes()
  expect(await sweptInDays()).toBe(1)
  await passDays(1)
  expect(await sweptInDays()).toBe(60)
  await passDays(58)
  expect(refreshes() - before).toBe(0)
  const { credentialsVersion: version } = await rowOf()
  await passDays(1)
  expect(refreshes() - before).toBe(1)
  expect(await rowOf()).toMatchObject({ credentialsVersion: Number(version) + 1, needsReconnect: false })
  expect(await sweptInDays()).toBeCloseTo(120, 1)
  // The refresh token of the connect would have ended on day 90.
  await passDays(40)
  const { id } = await scheduleOn(kit, 'bluesky', 'After a hundred days', minuteMs)
  await kit.service.pass(2 * minuteMs)
  expect((await kit.api.posts.get({ params: { id } })).status).toBe('published')
  expect(await sweptInDays()).toBeCloseTo(160, 1)
})

test('schedules no renewal where the platform needs none', async () => {
  await passDays(2)
  const { isConnected, sweepAtMs, sweepShard, sweepCount } = await rowOf('discord')
  expect({ isConnected, sweepAtMs, sweepShard, sweepCount }).toEqual({ isConnected: true })
})

test('doubled and early messages renew once', async () => {
  await passDays(1)
  kit.service.queues.faults.onSend = () => 'double'
  const [before, { credentialsVersion }] = [refreshes(), await rowOf()]
  await passDays(60)
  expect(refreshes() - before).toBe(1)
  await renewAccount(kit.ctx, { workspaceId: kit.workspaceId, socialAccountId: kit.accounts.bluesky })
  expect(refreshes() - before).toBe(1)
  expect((await rowOf())['credentialsVersion']).toBe(Number(credentialsVersion) + 1)
})

test('two concurrent workers refresh once', async () => {
  await passDays(1)
  const before = refreshes()
  kit.clock.pass(60 * dayMs)
  const message = { workspaceId: kit.workspaceId, socialAccountId: kit.accounts.bluesky }
  await Promise.all([renewAccount(kit.ctx, message), renewAccount(kit.ctx, message)])
  expect(refreshes() - before).toBe(1)
})

test('the sweeper retries with backoff while the platform is unavailable', async () => {
  await passDays(1)
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'refresh', times: 3, fault: 'html_503' })
  const [before, lossCount] = [refreshes(), reportedLosses(kit).length]
  await passDays(60, 10)
  // Tried in minutes 1, 2, 4 and 8; the fourth was answered.
  expect(refreshes() - before).toBe(4)
  expect(await rowOf()).toMatchObject({ needsReconnect: false, sweepCount: 0 })
  expect(reportedLosses(kit)).toHaveLength(lossCount)
})

test('a lost connection is reported once, and not renewed again', async () => {
  await passDays(1)
  kit.service.queues.faults.onSend = () => 'double'
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'refresh', times: 1000, fault: 'token_revoked' })
  const lossCount = reportedLosses(kit).length
  await passDays(60, 10)
  expect(reportedLosses(kit)).toHaveLength(lossCount + 1)
  expect(await sweptInDays()).toBeUndefined()
  expect((await kit.api.socialAccounts.list()).find(({ providerId }) => providerId === 'bluesky')).toMatchObject({
    isConnected: false,
    needsReconnect: true,
  })
  const refreshCount = refreshes()
  // A message that was on its way all the time.
  await renewAccount(kit.ctx, { workspaceId: kit.workspaceId, socialAccountId: kit.accounts.bluesky })
  await passDays(10)
  expect(refreshes()).toBe(refreshCount)
})

test('a disconnected account is not renewed by late messages', async () => {
  await passDays(1)
  await (await signedIn()).socialAccounts.disconnect({ params: { id: kit.accounts.bluesky } })
  expect(await sweptInDays()).toBeUndefined()
  const [before, row] = [refreshes(), await rowOf()]
  await renewAccount(kit.ctx, { workspaceId: kit.workspaceId, socialAccountId: kit.accounts.bluesky })
  await passDays(61)
  expect(refreshes()).toBe(before)
  expect(await rowOf()).toEqual(row)
})

const never = () => Promise.reject(new Error('no platform may be called'))

test('checks credentials that are due again after a day, not each minute', () => {
  const platform = { ...adapterOf('bluesky'), refresh: never, renewAtMs: () => 1_000 }
  expect(scheduleRenewal(platform, { id: 'acc_1' }, {}, 5 * dayMs)).toMatchObject({
    set: { sweepAtMs: 6 * dayMs, sweepCount: 0 },
  })
  const { renewAtMs: _, ...lasting } = platform
  expect(scheduleRenewal(lasting, { id: 'acc_1' }, {}, 5 * dayMs)).toEqual({
    set: {},
    remove: ['accessEndsAt', 'sweepShard', 'sweepAtMs', 'sweepCount'],
  })
})

test('an end that must be reported is not put off by a refresh; after the report, it is checked when it has come', () => {
  const platform = { refresh: never, renewAtMs: () => 40 * dayMs, accessEndsAtMs: () => 7 * dayMs }
  const accessEndsAt = '1970-01-08T00:00:00.000Z'
  for (const nowMs of [1, dayMs, 6 * dayMs]) {
    expect(scheduleRenewal(platform, { id: 'acc_1' }, {}, nowMs).set).toMatchObject({ accessEndsAt, sweepAtMs: 0 })
  }
  const reported = { id: 'acc_1', accessEndReported: true }
  const checkOf = (keeper: Parameters<typeof scheduleRenewal>[0], nowMs: number) =>
    scheduleRenewal(keeper, reported, {}, nowMs).set
  expect(checkOf(platform, dayMs)).toMatchObject({ accessEndsAt, sweepAtMs: 7 * dayMs })
  expect(checkOf(platform, 7 * dayMs)).toMatchObject({ accessEndsAt, sweepAtMs: 40 * dayMs })
  const outliving = { ...platform, credentialsExpireAtMs: () => 20 * dayMs }
  for (const nowMs of [dayMs, 8 * dayMs]) expect(checkOf(outliving, nowMs)).toMatchObject({ sweepAtMs: 20 * dayMs })
})
