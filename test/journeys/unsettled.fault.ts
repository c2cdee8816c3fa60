import { expect, test } from 'vitest'
import { transact } from '../../shared/db/table.ts'
import { socialAccounts } from '../../shared/social-accounts/social-account.ts'
import { liveCount, scheduleOn } from './author.ts'
import { beginInDoubt, breakDown, hour, minute, platforms, unknown } from './doubt.ts'
import { expectSound } from './invariants.ts'
import { dyingAtCreate, isCreate, lateCreates } from './trouble.ts'

test('Discord, crash after the request, past its nonce window: the post is found in the channel and not sent again', async () => {
  const { kit, seam, creates, shown } = await beginInDoubt()
  seam.begin(dyingAtCreate('after'))
  const { id } = await scheduleOn(kit, 'discord', 'landed', 2 * minute)
  await kit.service.pass(3 * minute)
  expect(liveCount(kit, 'landed')).toBe(1)
  expect(await shown(id)).toMatchObject({ status: 'scheduled', type: 'post.scheduled' })
  const inFlight = { status: 409, body: { code: 'publish_in_progress' } }
  await expect(kit.api.posts.cancel({ params: { id } })).rejects.toMatchObject(inFlight)
  await expect(kit.api.posts.delete({ params: { id } })).rejects.toMatchObject(inFlight)
  await kit.service.pass(3 * minute)
  const [, live] = kit.platforms.published()
  expect(await shown(id)).toMatchObject({ status: 'published', publishedPostUrl: live?.url, type: 'post.published' })
  expect([creates(), liveCount(kit, 'landed')]).toEqual([1, 1])
  await expectSound(kit)
})

test('Discord, crash before the request: the post is confirmed absent twice, then sent', async () => {
  const { kit, seam, creates, shown } = await beginInDoubt()
  seam.begin(dyingAtCreate('before'))
  const { id, dueMs } = await scheduleOn(kit, 'discord', 'not landed', 2 * minute)
  await kit.service.pass(10 * minute)
  expect(await shown(id)).toMatchObject({ status: 'published', error: null })
  expect([creates(), liveCount(kit, 'not landed')]).toEqual([1, 1])
  const lateMs = (kit.platforms.published().at(-1)?.publishedAt ?? 0) - dueMs
  expect(lateMs).toBeGreaterThanOrEqual(180_000)
  expect(lateMs).toBeLessThanOrEqual(300_000)
  await expectSound(kit)
})

test.each(platforms)('%s cannot be read after a crash: the lookup is retried until it can', async (platform) => {
  const begun = await beginInDoubt()
  const { kit, seam, shown } = begun
  seam.begin(dyingAtCreate('after'))
  const { id } = await scheduleOn(kit, platform, 'landed', 2 * minute)
  await kit.service.pass(2.1 * minute)
  breakDown(begun, platform)
  await kit.service.pass(15 * minute)
  expect(await shown(id)).toMatchObject({ status: 'scheduled', type: 'post.scheduled' })
  kit.platforms.faults.clear()
  await kit.service.pass(2 * minute)
  expect(await shown(id)).toMatchObject({ status: 'published', error: null, type: 'post.published' })
  expect(liveCount(kit, 'landed')).toBe(1)
  await expectSound(kit)
})

test.each(platforms)('%s cannot be read for six hours: the outcome is reported as unknown', async (platform) => {
  const begun = await beginInDoubt()
  const { kit, seam, shown } = begun
  seam.begin(dyingAtCreate('after'))
  const { id } = await scheduleOn(kit, platform, 'landed', 2 * minute)
  await kit.service.pass(2.1 * minute)
  breakDown(begun, platform)
  await kit.service.pass(10 * minute)
  kit.clock.pass(5.7 * hour)
  await kit.service.pass(5 * minute)
  expect(await shown(id)).toMatchObject({ status: 'scheduled' })
  kit.clock.pass(0.3 * hour)
  await kit.service.pass(5 * minute)
  expect(await shown(id)).toEqual({ ...unknown, publishedPostUrl: null })
  await expectSound(kit)
})

test.each(
  platforms,
)('%s: a publisher that crashes every time is given up after the fifth attempt, with an error', async (platform) => {
  const { kit, seam, creates, shown } = await beginInDoubt()
  const dying = dyingAtCreate('before', 1000)
  let deaths = 0
  seam.begin((effect, run) => {
    if (isCreate(effect)) deaths += 1
    return dying(effect, run)
  })
  const { id } = await scheduleOn(kit, platform, 'deadly', 2 * minute)
  await kit.service.pass(hour)
  expect(await shown(id)).toEqual({ ...unknown, publishedPostUrl: null })
  expect([deaths, creates(), liveCount(kit, 'deadly')]).toEqual([5, 0, 0])
  await expectSound(kit)
})

test.each([
  // The first call and its repeats by the same key, as far as the platform remembers that.
  ['bluesky', 4],
  ['discord', 2],
] as const)('%s: requests that arrive after the post was found absent create no second post', async (platform, times) => {
  const { kit, seam, creates, shown } = await beginInDoubt()
  const late = lateCreates(times)
  seam.begin(late.observe)
  const { id } = await scheduleOn(kit, platform, 'late', 2 * minute)
  await kit.service.pass(6 * minute)
  expect(await shown(id)).toMatchObject({ status: 'published' })
  expect([creates(), liveCount(kit, 'late')]).toEqual([1, 1])
  await late.arrive()
  expect([creates(), liveCount(kit, 'late')]).toEqual([1 + times, 1])
  await expectSound(kit)
})

test.each(platforms)('%s, unresolved, and its account removed: unknown', async (platform) => {
  const { kit, seam, shown } = await beginInDoubt()
  seam.begin(dyingAtCreate('after'))
  const { id } = await scheduleOn(kit, platform, 'landed', 2 * minute)
  await kit.service.pass(2.1 * minute)
  const key = socialAccounts.key({ workspaceId: kit.workspaceId, id: kit.accounts[platform] })
  await transact(kit.ctx, () => [{ delete: key }])
  await kit.service.pass(5 * minute)
  expect(await shown(id)).toEqual({ ...unknown, publishedPostUrl: null })
  await expectSound(kit)
})

test('a post without a worker for a day is not sent anymore', async () => {
  const { kit, creates, shown } = await beginInDoubt()
  const { id } = await scheduleOn(kit, 'bluesky', 'stale', 2 * minute)
  kit.clock.pass(24 * hour + 3 * minute)
  await kit.service.pass(3 * minute)
  const error = 'Not sent: more than 24 hours late. Reschedule it.'
  expect(await shown(id)).toMatchObject({ status: 'failed', error, reason: 'too_late', retrySafe: true })
  expect(creates()).toBe(0)
  await expectSound(kit)
})
