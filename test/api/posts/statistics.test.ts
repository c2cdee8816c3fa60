import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../shared/time.ts'
import { type PlatformName, scheduleOn } from '../../journeys/author.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const statistics = () => kit.api.posts.getStatistics()
const nothing = { count: 0, p50Ms: null, p99Ms: null, maxMs: null }

const play = async (platform: PlatformName, text: string) => {
  const { id } = await scheduleOn(kit, platform, text, 5 * minuteMs)
  await kit.service.pass(6 * minuteMs)
  const { items } = await kit.api.posts.listAttempts({ params: { id } })
  return items.find(({ outcome }) => outcome === 'published')?.latenessMs
}

test('without posts, rates and percentiles are null and not 0', async () => {
  expect(await statistics()).toEqual({
    measuredAt: new Date(kit.clock.now()).toISOString(),
    from: null,
    to: null,
    count: 0,
    published: 0,
    failed: 0,
    successRate: null,
    lateness: nothing,
    cancelled: 0,
    inProgress: 0,
    timezone: 'UTC',
    days: [],
    platforms: [],
    failures: [],
  })
})

test('posts are counted by how they ended; lateness is that of the attempt that published, after all tries', async () => {
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'rate_limited' })
  const afterRetry = await play('bluesky', 'at the second try')
  const onTime = await play('bluesky', 'on time')
  const body = { error: 'InvalidRequest', message: 'no' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
  await play('bluesky', 'rejected')
  const { id } = await scheduleOn(kit, 'discord', 'cancelled', minuteMs)
  await kit.api.posts.cancel({ params: { id } })
  await scheduleOn(kit, 'discord', 'not due yet', dayMs)
  await kit.service.pass(2 * minuteMs)
  expect(afterRetry).toBeGreaterThan(1_000)
  expect(onTime).toBeLessThan(1_000)

  const { platforms, failures, days, ...all } = await statistics()
  const lateness = { count: 2, p50Ms: onTime, p99Ms: afterRetry, maxMs: afterRetry }
  const outcomes = { published: 2, failed: 1, successRate: 2 / 3, lateness }
  expect(all).toMatchObject({ ...outcomes, count: 4, cancelled: 1, inProgress: 0 })
  expect(platforms).toEqual([
    { platform: 'bluesky', ...outcomes },
    { platform: 'discord', published: 0, failed: 0, successRate: null, lateness: nothing },
  ])
  const { reason } = await kit.api.posts
    .list({ query: { status: 'failed' } })
    .then(({ items: [post] }) => ({ ...post }))
  expect(failures).toEqual([{ platform: 'bluesky', reason, count: 1 }])
  expect(days).toMatchObject([{ date: new Date(kit.clock.now()).toISOString().slice(0, 10), ...outcomes }])
  expect(all.from && all.to && all.from < all.to).toBe(true)
})

test('numbers are at most a minute old, and at least as long the same', async () => {
  const before = await statistics()
  await kit.api.posts.publishNow({ body: { socialAccountIds: [kit.accounts.bluesky], content: 'counted soon' } })
  await kit.service.drain()
  kit.clock.pass(30_000)
  expect(await statistics()).toEqual(before)
  kit.clock.pass(31_000)
  expect((await statistics()).published).toBe(before.published + 1)
})

test('a tweet that follows another one is counted, and its lateness is not measured', async () => {
  const x = await connectOn(kit, 'x')
  const scheduledAt = new Date(kit.clock.now() + hourMs).toISOString()
  const tweets = [{ content: 'first' }, { content: 'second' }, { content: 'third' }]
  await kit.api.posts.scheduleThread({ body: { socialAccountId: x, tweets, scheduledAt } })
  await kit.service.pass(hourMs + 5 * minuteMs)
  const { platforms } = await statistics()
  expect(platforms.find(({ platform }) => platform === 'x')).toMatchObject({ published: 3, lateness: { count: 1 } })
})
