import { expect, test } from 'vitest'
import { posts } from '../../shared/posts/post.ts'
import { type Kit, start } from '../support/start.ts'
import { accountOf, eventsOf, listen, liveCount, lossesTold, scheduleBoth, scheduleOn } from './author.ts'
import { endless, faults } from './fault-table.ts'
import { expectSound } from './invariants.ts'
import { makeTrouble, unreachable } from './trouble.ts'
import { uploadPng } from './upload.ts'

const minute = 60_000

const rowOf = (kit: Kit, id: string) => posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })

const cells = faults.flatMap((fault) =>
  (['bluesky', 'discord'] as const).map((platform) => ({ ...fault, platform, cell: `${fault.name}: ${platform}` })),
)

test.each(cells)('$cell', async ({ platform, scripts, trouble, endsAfterMinutes, media, history, outcomes, name }) => {
  const outcome = outcomes[platform]
  const seam = makeTrouble()
  const kit = await start({ observe: seam.observe })
  await listen(kit)
  const mediaUrls = media ? [(await uploadPng(kit)).id] : []
  if (history) {
    await scheduleBoth(kit, 'hello', 1000)
    await kit.service.pass(2000)
  }
  kit.platforms.faults.add((scripts?.[platform] ?? []).map((script) => ({ ...script, platform })))
  if (trouble) seam.begin(trouble(platform))
  const { id, dueMs } = await scheduleOn(kit, platform, name, 2 * minute, mediaUrls)
  await kit.service.pass((2 + (endsAfterMinutes ?? 0)) * minute, { strikeMinutes: 5 })
  if (endsAfterMinutes) {
    kit.platforms.faults.clear()
    seam.end()
  }
  await kit.service.pass(25 * minute, { strikeMinutes: 5 })

  const post = await kit.api.posts.get({ params: { id } })
  expect(post).toMatchObject({
    status: outcome.status,
    error: outcome.error ? expect.stringMatching(outcome.error) : null,
  })
  expect(liveCount(kit, name)).toBe(outcome.live)
  for (const { publishedAt, url } of kit.platforms.published().filter(({ text }) => text === name)) {
    expect(url).toBe(post.publishedPostUrl)
    expect((publishedAt - dueMs) / 1000).toBeGreaterThanOrEqual(outcome.late?.[0] ?? 0)
    expect((publishedAt - dueMs) / 1000).toBeLessThanOrEqual(outcome.late?.[1] ?? 1)
  }
  const [scheduled, ended, ...more] = eventsOf(kit, id)
  expect([scheduled?.type, more]).toEqual(['post.scheduled', []])
  const { reason, retrySafe } = outcome
  expect(ended).toMatchObject(
    outcome.status === 'published'
      ? { type: 'post.published', data: { publishedPostUrl: post.publishedPostUrl, error: null } }
      : { type: 'post.publish_failed', data: { reason, retrySafe, error: post.error } },
  )
  expect(await accountOf(kit, platform)).toMatchObject({ isConnected: true, needsReconnect: outcome.lost ?? false })
  expect(lossesTold(kit).length).toBe(outcome.lost ? 1 : 0)
  expect(kit.logged.some((line) => line.includes('operator action needed'))).toBe(outcome.operator ?? false)
  // Each trouble that was to come has come.
  expect(kit.platforms.faults.pending().filter(({ times }) => times < endless / 2)).toEqual([])
  await expectSound(kit)
})

test('Bluesky has dropped the image at the moment: uploaded again, published once, by the same key', async () => {
  const kit = await start()
  await listen(kit)
  const { id: mediaId } = await uploadPng(kit)
  const body = { error: 'BlobNotFound', message: 'Could not find blob' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
  const { id } = await scheduleOn(kit, 'bluesky', 'with an image', 2 * minute, [mediaId])
  await kit.service.pass(2 * minute)
  const uploads = () => kit.platforms.calls().filter(({ operation }) => operation === 'upload').length
  expect(uploads()).toBe(1)
  expect(await rowOf(kit, id)).toMatchObject({ status: 'scheduled', retries: 1, clientKey: expect.any(String) })
  await kit.service.pass(minute)
  expect(uploads()).toBe(2)
  expect(kit.platforms.published()).toMatchObject([{ text: 'with an image', media: [expect.any(String)] }])
  expect((await rowOf(kit, id))?.status).toBe('published')
  await expectSound(kit)
})

test('Bluesky holds another record in the place of the key: published once, by another key', async () => {
  const kit = await start()
  const body = { error: 'InvalidSwap', message: 'Record was at another CID' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
  const { id } = await scheduleOn(kit, 'bluesky', 'collided', 2 * minute)
  await kit.service.pass(2 * minute)
  const row = await rowOf(kit, id)
  expect(row).toMatchObject({ status: 'scheduled', retries: 1 })
  expect(row?.clientKey).toBeUndefined()
  await kit.service.pass(minute)
  expect(liveCount(kit, 'collided')).toBe(1)
  await expectSound(kit)
})

test('eight minutes out of reach, and every message doubled: whatever the jitter, the tries are not used up', async () => {
  const seam = makeTrouble()
  const kit = await start({ observe: seam.observe })
  kit.service.queues.faults.onSend = () => 'double'
  seam.begin(unreachable('bluesky'))
  const { id } = await scheduleOn(kit, 'bluesky', 'doubled', 2 * minute)
  await kit.service.pass((2 + 8) * minute)
  seam.end()
  await kit.service.pass(15 * minute)
  expect(await rowOf(kit, id)).toMatchObject({ status: 'published' })
  expect(liveCount(kit, 'doubled')).toBe(1)
  await expectSound(kit)
})

test('twenty posts due in the same second on each platform are all out in it, once', async () => {
  const kit = await start()
  await listen(kit)
  const dueMs = kit.clock.now() + 10 * minute
  const texts = Array.from({ length: 20 }, (_, n) => `post ${n} of twenty`)
  for (const text of texts) await scheduleBoth(kit, text, dueMs - kit.clock.now())
  await kit.service.pass(11 * minute)
  for (const text of texts) expect([liveCount(kit, text, 'bluesky'), liveCount(kit, text, 'discord')]).toEqual([1, 1])
  for (const { publishedAt } of kit.platforms.published()) {
    expect(publishedAt - dueMs).toBeGreaterThanOrEqual(0)
    expect(publishedAt - dueMs).toBeLessThanOrEqual(1000)
  }
  expect((await kit.api.posts.list({ query: { status: 'published' } })).total).toBe(40)
  await expectSound(kit)
})
