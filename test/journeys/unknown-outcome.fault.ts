import { expect, test } from 'vitest'
import { eventsOf, liveCount, scheduleOn } from './author.ts'
import { beginInDoubt, breakDown, hour, makeUnknown, minute, platforms, unknown } from './doubt.ts'
import { expectSound } from './invariants.ts'
import { dyingAtCreate } from './trouble.ts'

test.each(
  platforms,
)('%s, unknown and live: a reschedule finds the post and does not send it again', async (platform) => {
  const begun = await beginInDoubt()
  const { kit, creates, shown } = begun
  const { id, url } = await makeUnknown(begun, platform, 'after')
  expect(await shown(id)).toMatchObject(unknown)
  const sent = creates()
  const scheduledAt = new Date(kit.clock.now() + hour).toISOString()
  await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt, content: 'new words' } })
  await kit.service.pass(70 * minute, { tickMinutes: 5 })
  expect(url).not.toBeNull()
  expect(await shown(id)).toMatchObject({ status: 'published', publishedPostUrl: url, type: 'post.published' })
  expect([creates() - sent, liveCount(kit, 'old words'), liveCount(kit, 'new words')]).toEqual([0, 1, 0])
  await expectSound(kit)
})

test.each(platforms)('%s, unknown and absent: a reschedule sends it once, at its new time', async (platform) => {
  const begun = await beginInDoubt()
  const { kit, shown } = begun
  const { id } = await makeUnknown(begun, platform, 'before')
  expect(await shown(id)).toMatchObject(unknown)
  const dueMs = kit.clock.now() + hour
  const scheduledAt = new Date(dueMs).toISOString()
  await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt, content: 'new words' } })
  await kit.service.pass(70 * minute)
  expect(await shown(id)).toMatchObject({ status: 'published', error: null, type: 'post.published' })
  expect([liveCount(kit, 'old words'), liveCount(kit, 'new words')]).toEqual([0, 1])
  const lateMs = (kit.platforms.published().at(-1)?.publishedAt ?? 0) - dueMs
  expect(lateMs).toBeGreaterThanOrEqual(0)
  expect(lateMs).toBeLessThanOrEqual(1000)
  await expectSound(kit)
})

test.each(platforms)('%s, unknown: cancel and delete report that the post may be live', async (platform) => {
  const begun = await beginInDoubt()
  const { kit } = begun
  const { id } = await makeUnknown(begun, platform, 'after')
  const reschedule = () => {
    const scheduledAt = new Date(kit.clock.now() + hour).toISOString()
    return kit.api.posts.reschedule({ params: { id }, body: { scheduledAt } })
  }
  await reschedule()
  expect(await kit.api.posts.cancel({ params: { id } })).toMatchObject({ id, status: 'cancelled', mayBeLive: true })
  await kit.service.pass(2 * hour, { tickMinutes: 30 })
  expect(liveCount(kit, 'old words')).toBe(1)
  await expectSound(kit)
  expect(await kit.api.posts.delete({ params: { id } })).toEqual({ id, deleted: true, mayBeLive: true })
  await kit.service.pass(minute)
  await expectSound(kit)
})

test.each(platforms)('%s, unknown: deleting the failed or rescheduled post reports it too', async (platform) => {
  const begun = await beginInDoubt()
  const { kit } = begun
  const { id } = await makeUnknown(begun, platform, 'after')
  const scheduledAt = new Date(kit.clock.now() + hour).toISOString()
  await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt } })
  expect(await kit.api.posts.delete({ params: { id } })).toEqual({ id, deleted: true, mayBeLive: true })
  await kit.service.pass(2 * hour, { tickMinutes: 30 })
  expect(eventsOf(kit, id).at(-1)?.type).toBe('post.cancelled')
  expect(liveCount(kit, 'old words')).toBe(1)
  await expectSound(kit)
})

test('a post in doubt whose account is disconnected ends as unknown immediately: no credentials are left to look it up', async () => {
  const begun = await beginInDoubt()
  const { kit, seam, shown } = begun
  seam.begin(dyingAtCreate('after'))
  const { id } = await scheduleOn(kit, 'bluesky', 'old words', 2 * minute)
  await kit.service.pass(2.1 * minute)
  breakDown(begun, 'bluesky')
  await kit.service.pass(minute)
  expect(await shown(id)).toMatchObject({ status: 'scheduled' })
  await kit.sessionApi.socialAccounts.disconnect({ params: { id: kit.accounts.bluesky } })
  await kit.service.pass(5 * minute)
  expect(await shown(id)).toMatchObject(unknown)
  expect(liveCount(kit, 'old words')).toBe(1)
  await expectSound(kit)
})
