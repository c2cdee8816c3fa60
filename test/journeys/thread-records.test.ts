import { expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { start } from '../support/start.ts'

test('deletes the record of one tweet of a live thread alone, and that of the first with all the others', async () => {
  const kit = await start()
  const socialAccountId = await connectOn(kit, 'x')
  const tweets = [{ content: 'deleted 1' }, { content: 'deleted 2' }, { content: 'deleted 3' }]
  const scheduledAt = new Date(kit.clock.now() + 10 * minuteMs).toISOString()
  const { postIds } = await kit.api.posts.scheduleThread({ body: { socialAccountId, tweets, scheduledAt } })
  const [head = '', second = '', third = ''] = postIds
  const member = { status: 400, body: { code: 'not_thread_head' } }
  await expect(kit.api.posts.delete({ params: { id: third } })).rejects.toMatchObject(member)
  await kit.service.pass(11 * minuteMs)
  const { used } = await kit.api.posts.xCapUsage()
  expect(await kit.api.posts.delete({ params: { id: third } })).toEqual({
    id: third,
    deleted: true,
    published: true,
    publishedPostUrl: expect.stringMatching(/^https:\/\/x\.com\//),
  })
  const { items } = await kit.api.posts.list()
  expect(items.map(({ id, status }) => [id, status])).toEqual([
    [second, 'published'],
    [head, 'published'],
  ])
  await kit.api.posts.delete({ params: { id: head } })
  expect((await kit.api.posts.list()).total).toBe(0)
  // Only the records are gone: the tweets are live, and still count against the cap.
  expect(kit.platforms.published().filter(({ platform }) => platform === 'x')).toHaveLength(3)
  expect(await kit.api.posts.xCapUsage()).toMatchObject({ used })
})
