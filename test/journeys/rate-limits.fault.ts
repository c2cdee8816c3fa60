import { expect, test } from 'vitest'
import type { PlatformId } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { start } from '../support/start.ts'
import { connectOnce } from '../support/world/preparations.ts'
import { channelId, liveCount } from './author.ts'
import { expectSound } from './invariants.ts'

const count = 40

/** How many of some times lie in each window of five seconds. */
const perWindow = (times: readonly number[]) =>
  [...Map.groupBy(times, (at) => Math.floor(at / 5000)).values()].map(({ length }) => length)

test.each<[PlatformId, Record<string, object>]>([
  ['discord', { discord: { channelId } }],
  ['slack', { slack: { channelId: 'C0DEMO001' } }],
])('%s: forty messages that are due at the same time in one channel are live once each, as fast as it takes them', async (platform, metadata) => {
  const kit = await start({ platformLimits: true })
  const account = await connectOnce(kit, platform)
  const dueMs = kit.clock.now() + 10 * minuteMs
  const texts = Array.from({ length: count }, (_, n) => `message ${n} of many`)
  for (const content of texts) {
    const body = { socialAccountIds: [account], content, metadata, scheduledAt: new Date(dueMs).toISOString() }
    await kit.api.posts.schedule({ body })
  }
  await kit.service.pass(14 * minuteMs)
  expect(texts.map((text) => liveCount(kit, text))).toEqual(texts.map(() => 1))
  expect((await kit.api.posts.list({ query: { status: 'published' } })).total).toBe(count)
  const refusals = kit.platforms.calls().filter(({ operation, status }) => operation === 'create' && status === 429)
  expect(refusals.length).toBeGreaterThan(0)
  const times = kit.platforms.published().map(({ publishedAt }) => publishedAt)
  expect(Math.min(...times)).toBeGreaterThanOrEqual(dueMs)
  expect(Math.max(...times)).toBeLessThanOrEqual(dueMs + minuteMs)
  expect(perWindow(times)).toEqual(Array(count / 5).fill(5))
  await expectSound(kit)
})
