import { expect, test } from 'vitest'
import { ApiError } from '../../functions/client.ts'
import { dayMs } from '../../shared/time.ts'
import { start } from '../support/start.ts'
import { eventsOf, listen, scheduleOn } from './author.ts'
import { expectSound } from './invariants.ts'

/** What each of several calls at the same moment was answered: the status, and the code of a refusal. */
const answersOf = async (calls: readonly Promise<unknown>[]) => {
  const settled = await Promise.allSettled(calls)
  return settled.map((result) => {
    if (result.status === 'fulfilled') return '200'
    if (result.reason instanceof ApiError) return `${result.reason.status} ${result.reason.body['code']}`
    throw result.reason
  })
}

const tenTimes = <T>(make: (n: number) => T): T[] => Array.from({ length: 10 }, (_, n) => make(n))

test('ten concurrent cancels of a post due in 100 days: 200 or already cancelled, and one cancellation event', async () => {
  const kit = await start()
  await listen(kit)
  const { id } = await scheduleOn(kit, 'bluesky', 'far away', 100 * dayMs)
  const answers = await answersOf(tenTimes(() => kit.api.posts.cancel({ params: { id } })))
  // A call that begins after the first one has ended finds a canceled post, as it would a minute later.
  expect(answers.filter((answer) => answer !== '200' && answer !== '400 invalid_post_status')).toEqual([])
  expect(answers.filter((answer) => answer === '200').length).toBeGreaterThanOrEqual(1)
  await expect(kit.api.posts.cancel({ params: { id } })).rejects.toMatchObject({
    body: { code: 'invalid_post_status' },
  })
  await kit.service.pass(60_000)
  expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.cancelled'])
  await expectSound(kit)
})

test('ten concurrent reschedules of a post due in 100 days all succeed, and none is rejected because the post is publishing', async () => {
  const kit = await start()
  await listen(kit)
  const { id, dueMs } = await scheduleOn(kit, 'bluesky', 'far away', 100 * dayMs)
  const times = tenTimes((n) => new Date(dueMs + n * dayMs).toISOString())
  const answers = await answersOf(
    times.map((scheduledAt) => kit.api.posts.reschedule({ params: { id }, body: { scheduledAt } })),
  )
  expect(answers.filter((answer) => answer !== '200' && answer !== '409 concurrent_update')).toEqual([])
  const done = answers.filter((answer) => answer === '200').length
  expect(done).toBeGreaterThanOrEqual(5)
  expect(times).toContain((await kit.api.posts.get({ params: { id } })).scheduledAt)
  await kit.service.pass(60_000)
  expect(eventsOf(kit, id).filter(({ type }) => type === 'post.rescheduled')).toHaveLength(done)
  await expectSound(kit)
})

test('ten concurrent deletes of a post due in 100 days return 200 or 404', async () => {
  const kit = await start()
  const { id } = await scheduleOn(kit, 'bluesky', 'far away', 100 * dayMs)
  const answers = await answersOf(tenTimes(() => kit.api.posts.delete({ params: { id } })))
  // A call that begins after the row has gone finds none, as it would a minute later.
  expect(answers.filter((answer) => answer !== '200' && answer !== '404 post_not_found')).toEqual([])
  expect((await kit.api.posts.list()).total).toBe(0)
  await kit.service.drain()
  await expectSound(kit)
})

test('a concurrent cancel and reschedule each return a result that fits the other', async () => {
  const kit = await start()
  const { id, dueMs } = await scheduleOn(kit, 'bluesky', 'far away', 100 * dayMs)
  const scheduledAt = new Date(dueMs + dayMs).toISOString()
  const [cancelled, moved] = await answersOf([
    kit.api.posts.cancel({ params: { id } }),
    kit.api.posts.reschedule({ params: { id }, body: { scheduledAt } }),
  ])
  expect(cancelled).toBe('200')
  expect(['200', '400 invalid_post_status']).toContain(moved)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'cancelled' })
  await kit.service.drain()
  await expectSound(kit)
})
