import { afterEach, beforeEach, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { accountOf, eventsOf, listen, liveCount, scheduleOn } from './author.ts'
import { endless } from './fault-table.ts'
import { expectSound } from './invariants.ts'

let kit: Kit
beforeEach(async () => {
  kit = await start()
  await listen(kit)
}, 240_000)
afterEach(async () => {
  await expectSound(kit)
  await kit.close()
})

const get = (id: string) => kit.api.posts.get({ params: { id } })
const inTicks = { tickMinutes: 5 }
const down = { operation: '*', times: endless, fault: 'html_503' } as const

test.each([
  'bluesky',
  'discord',
] as const)('%s: a post outlasts an hour of 503, and is published once', async (platform) => {
  kit.platforms.faults.add({ ...down, platform })
  const { id } = await scheduleOn(kit, platform, 'patient', 2 * minuteMs)
  await kit.service.pass(2 * minuteMs + hourMs, inTicks)
  expect(await get(id)).toMatchObject({ status: 'scheduled' })
  kit.platforms.faults.clear()
  await kit.service.pass(15 * minuteMs, inTicks)
  expect(await get(id)).toMatchObject({ status: 'published', error: null })
  expect(liveCount(kit, 'patient')).toBe(1)
})

test('an outage with every message duplicated is outlasted, and the post is published once', async () => {
  kit.service.queues.faults.onSend = () => 'double'
  kit.platforms.faults.add({ ...down, platform: 'discord' })
  const { id } = await scheduleOn(kit, 'discord', 'doubled', 2 * minuteMs)
  await kit.service.pass(2 * minuteMs + hourMs, inTicks)
  kit.platforms.faults.clear()
  await kit.service.pass(15 * minuteMs, inTicks)
  expect(await get(id)).toMatchObject({ status: 'published' })
  expect(liveCount(kit, 'doubled')).toBe(1)
})

test('a platform that takes nothing for an hour, and shows that: the post is published once after that', async () => {
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: endless, fault: 'status', status: 500 })
  const { id } = await scheduleOn(kit, 'bluesky', 'not taken', 2 * minuteMs)
  await kit.service.pass(2 * minuteMs + hourMs, inTicks)
  expect(await get(id)).toMatchObject({ status: 'scheduled' })
  kit.platforms.faults.clear()
  await kit.service.pass(15 * minuteMs, inTicks)
  expect(await get(id)).toMatchObject({ status: 'published', error: null })
  expect(liveCount(kit, 'not taken')).toBe(1)
})

test('a platform that is down for a day fails the post, which says how long it was tried', async () => {
  const account = await connectOn(kit, 'threads')
  kit.platforms.faults.add({ ...down, platform: 'threads' })
  const [{ id = '' } = {}] = await kit.api.posts.schedule({
    body: {
      socialAccountIds: [account],
      content: 'In vain',
      scheduledAt: new Date(kit.clock.now() + minuteMs).toISOString(),
    },
  })
  await kit.service.pass(23 * hourMs, { tickMinutes: 10 })
  expect(await get(id)).toMatchObject({ status: 'scheduled' })
  await kit.service.pass(1.2 * hourMs, { tickMinutes: 10 })
  const error = 'Threads did not return a clear response. Tried until 24 hours after its time.'
  expect(await get(id)).toMatchObject({ status: 'failed', error })
  const failedEvent = { type: 'post.publish_failed', data: { error, reason: 'platform_unavailable', retrySafe: true } }
  expect(eventsOf(kit, id).at(-1)).toMatchObject(failedEvent)
})

const refused = { platform: 'discord', operation: '*', times: endless, fault: 'token_revoked' } as const
const operatorAlerts = () => kit.logged.filter((line) => line.includes('operator action needed')).length

test("a post waits while the operator's credentials are refused, and is published when they are fixed", async () => {
  kit.platforms.faults.add(refused)
  const { id } = await scheduleOn(kit, 'discord', 'mended', 2 * minuteMs)
  await kit.service.pass(2 * minuteMs + 3 * hourMs, inTicks)
  expect(await get(id)).toMatchObject({ status: 'scheduled' })
  expect(operatorAlerts()).toBeGreaterThan(10)
  kit.platforms.faults.clear()
  await kit.service.pass(15 * minuteMs, inTicks)
  expect(await get(id)).toMatchObject({ status: 'published', error: null })
  expect([liveCount(kit, 'mended'), await accountOf(kit, 'discord')]).toMatchObject([1, { isConnected: true }])
})

test('credentials that are refused for a day fail the post, and leave the account connected', async () => {
  kit.platforms.faults.add(refused)
  const { id } = await scheduleOn(kit, 'discord', 'never mended', 2 * minuteMs)
  await kit.service.pass(24.1 * hourMs, { tickMinutes: 10 })
  expect(await get(id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/Contact the operator of this service\. Tried until 24 hours after its time\.$/),
  })
  expect(eventsOf(kit, id).at(-1)).toMatchObject({ data: { reason: 'account_disconnected', retrySafe: true } })
  expect(await accountOf(kit, 'discord')).toMatchObject({ isConnected: true })
})

test('a live post is deleted when the credentials of the operator are fixed', async () => {
  const { id } = await scheduleOn(kit, 'discord', 'to be deleted', minuteMs)
  await kit.service.pass(2 * minuteMs)
  kit.platforms.faults.add(refused)
  await kit.api.posts.delete({ params: { id }, query: { live: 'true' } })
  await kit.service.pass(hourMs, inTicks)
  expect(await get(id)).toMatchObject({ liveDeletedAt: null, liveDeletionError: null })
  kit.platforms.faults.clear()
  await kit.service.pass(5 * minuteMs)
  expect(liveCount(kit, 'to be deleted')).toBe(0)
  expect(await get(id)).toMatchObject({ liveDeletedAt: expect.any(String), liveDeletionError: null })
})
