import { expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { start } from '../support/start.ts'
import { isFull } from '../support/thin.ts'
import { actDuring, cancel, remove, reschedule, update } from './act-during.ts'
import { eventsOf, liveCount, scheduleBoth } from './author.ts'
import { expectSound } from './invariants.ts'

/** From one step to the next one that is met. */
const stride = isFull ? 1 : 3

test.each([
  ['cancel', cancel, 'post.cancelled'],
  ['delete', remove, 'post.cancelled'],
  ['reschedule', reschedule, 'post.rescheduled'],
] as const)(
  '%s at every step of a publishing post: 200 and never live, or rejected and live',
  async (_name, act, expectedEvents) => {
    let points = 0
    for (let n = 0; ; n += stride) {
      const round = await actDuring(n, act, 'bluesky', 'raced')
      if (!round.reached) break
      points += stride
      const live = liveCount(round.kit, 'raced')
      const types = eventsOf(round.kit, round.id).map(({ type }) => type)
      const why = `at effect ${n}, answered ${round.answered}`
      // Once published, a cancel or reschedule is 400, and a delete removes our record only.
      const lateDelete = act === remove && live === 1
      if (round.answered === 200 && !lateDelete) {
        expect({ live, types }, why).toEqual({ live: 0, types: ['post.scheduled', expectedEvents] })
      } else {
        expect(lateDelete ? [200, 409] : [400, 409], why).toContain(round.answered)
        expect({ live, types }, why).toEqual({ live: 1, types: ['post.scheduled', 'post.published'] })
      }
      await expectSound(round.kit)
      await round.kit.close()
    }
    expect(points).toBeGreaterThanOrEqual(5)
  },
  120_000,
)

test('an update at every step of a publishing post: 200 and only the new text is live, or rejected and only the old one', async () => {
  let points = 0
  for (let n = 0; ; n += stride) {
    const { kit, id, answered, reached } = await actDuring(n, update, 'bluesky', 'raced')
    if (!reached) break
    points += stride
    const live = [liveCount(kit, 'raced'), liveCount(kit, 'raced, and changed')]
    const why = `at effect ${n}, answered ${answered}`
    expect([200, 400, 409], why).toContain(answered)
    expect(live, why).toEqual(answered === 200 ? [0, 1] : [1, 0])
    const { content } = await kit.api.posts.get({ params: { id } })
    expect(content, why).toBe(answered === 200 ? 'raced, and changed' : 'raced')
    await expectSound(kit)
    await kit.close()
  }
  expect(points).toBeGreaterThanOrEqual(5)
}, 120_000)

test('fifty identical concurrent schedule requests with one Idempotency-Key create one group', async () => {
  const kit = await start()
  const calls = Array.from({ length: 50 }, () => scheduleBoth(kit, 'only once', 60 * minuteMs, {}, 'the same key'))
  const groups = await Promise.all(calls)
  expect(new Set(groups.map((posts) => posts.map(({ id }) => id).join(' '))).size).toBe(1)
  expect((await kit.api.posts.list()).total).toBe(2)
  const other = scheduleBoth(kit, 'another text', 60 * minuteMs, {}, 'the same key')
  await expect(other).rejects.toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  kit.clock.pass(24.1 * 60 * minuteMs)
  await scheduleBoth(kit, 'another text', 60 * minuteMs, {}, 'the same key')
  expect((await kit.api.posts.list()).total).toBe(4)
  await kit.service.drain()
  await expectSound(kit)
})

test('deleting a post that has just gone live reports that it is live, with its URL', async () => {
  const kit = await start()
  const posts = await scheduleBoth(kit, 'just gone live', 5 * minuteMs)
  await kit.service.pass(10 * minuteMs)
  for (const { id } of posts) {
    const { publishedPostUrl } = await kit.api.posts.get({ params: { id } })
    expect(publishedPostUrl).toMatch(/^https?:/)
    const answer = await kit.api.posts.delete({ params: { id } })
    expect(answer).toEqual({ id, deleted: true, published: true, publishedPostUrl })
  }
  const [waiting] = await scheduleBoth(kit, 'not live', 60 * minuteMs)
  const id = waiting?.id ?? ''
  expect(await kit.api.posts.delete({ params: { id } })).toEqual({ id, deleted: true })
})
