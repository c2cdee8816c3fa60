import { afterAll, beforeAll, expect, test } from 'vitest'
import { posts } from '../../../shared/posts/lifecycle/row.ts'
import { minuteMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'
import { clip, uploadVideo } from '../upload-video.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
}, 60_000)
afterAll(async () => {
  await kit.service.drain()
  await expectSound(kit)
  await kit.close()
})

const onBluesky = () => kit.platforms.published().filter(({ platform }) => platform === 'bluesky')
const sentTo = (operation: string) => kit.platforms.calls().filter((call) => call.operation === operation)

const schedule = async (content: string, more: object) => {
  const dueMs = kit.clock.now() + 12 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content, scheduledAt, ...more }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  return { id, dueMs }
}

test('a video is processed ahead and is public on time, by one call', async () => {
  const bytes = clip(6_000_000)
  const { id, dueMs } = await schedule('My film', { mediaUrls: [(await uploadVideo(kit, bytes)).id] })
  await kit.service.pass(11 * minuteMs + 50_000)
  const row = await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })
  expect(row?.preparation).toMatchObject({ ready: { embed: { $type: 'app.bsky.embed.video' } } })
  expect(onBluesky()).toEqual([])
  await kit.service.pass(minuteMs)
  const [shown] = onBluesky()
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown?.url,
    error: null,
  })
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeGreaterThanOrEqual(0)
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
  const sent = await fetch(shown?.media[0] ?? '')
  expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true)
  expect([sentTo('video').length, sentTo('create').length]).toEqual([1, 1])
})

test('a link card is prepared ahead with its image, and is public on time', async () => {
  const thumbMediaAssetId = (await uploadPng(kit)).id
  const external = { url: 'https://bakery.example/', title: 'Bread', thumbMediaAssetId }
  const { id, dueMs } = await schedule('See our page', { metadata: { bluesky: { external } } })
  await kit.service.pass(11 * minuteMs + 50_000)
  const row = await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })
  expect(row?.preparation).toMatchObject({ ready: { embed: { $type: 'app.bsky.embed.external' } } })
  await kit.service.pass(minuteMs)
  const [shown] = onBluesky().filter(({ text }) => text === 'See our page')
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown?.url,
    metadata: { bluesky: { external } },
  })
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeGreaterThanOrEqual(0)
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
  expect(shown?.extras).toEqual(['card: Bread (https://bakery.example/)'])
  expect((await fetch(shown?.media[0] ?? '')).headers.get('content-type')).toBe('image/png')
})

test('a post with gates whose response is lost is published once, on time', async () => {
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const metadata = { bluesky: { replyGate: ['followers'], disableQuotes: true, labels: ['nudity'] } }
  const { id, dueMs } = await schedule('Only some may answer', { metadata })
  await kit.service.pass(15 * minuteMs)
  const shown = onBluesky().filter(({ text }) => text === 'Only some may answer')
  expect(shown.map(({ extras }) => extras)).toEqual([['labels: nudity', 'replies: followerRule', 'no quotes']])
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown[0]?.url,
    metadata,
  })
  expect((shown[0]?.publishedAt ?? 0) - dueMs).toBeLessThan(1000)
})

test('a link card alongside media, or with an image that is not there, is rejected', async () => {
  const external = { url: 'https://bakery.example/', title: 'Bread' }
  const issues = async (more: object) =>
    (
      await kit.api.posts.validate({
        body: { socialAccountIds: [kit.accounts.bluesky], content: 'See', ...more },
      })
    ).issues
  const metadata = { bluesky: { external } }
  expect(await issues({ metadata, mediaUrls: [(await uploadPng(kit)).id] })).toMatchObject([
    { code: 'metadata_invalid', field: 'metadata.bluesky.external' },
  ])
  const gone = { bluesky: { external: { ...external, thumbMediaAssetId: 'med_01KAJ2R8X0Z2B4D6F8H0K2M4N6' } } }
  expect(await issues({ metadata: gone })).toMatchObject([{ code: 'media_not_found' }])
})

test('a video that is posted immediately waits for its processing, and is sent once', async () => {
  const { id: video } = await uploadVideo(kit, clip(2_000))
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'At once', mediaUrls: [video] }
  const before = sentTo('video').length
  const [{ id = '' } = {}] = await kit.api.posts.publishNow({ body })
  await kit.service.pass(2 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published', error: null })
  expect(onBluesky().filter(({ text }) => text === 'At once')).toHaveLength(1)
  expect(sentTo('video').length - before).toBe(1)
})

test('an account with an unconfirmed email address gets an error that says so, and stays connected', async () => {
  const limits = { canUpload: false, message: 'Confirm your email address to upload videos' }
  kit.platforms.faults.add({
    platform: 'bluesky',
    operation: 'limits',
    times: 2,
    fault: 'status',
    status: 200,
    body: limits,
  })
  const { id } = await schedule('Unconfirmed', { mediaUrls: [(await uploadVideo(kit, clip(3_000))).id] })
  await kit.service.pass(13 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/email address is not confirmed\. Confirm it in the settings of Bluesky\.$/),
  })
  const account = (await kit.api.socialAccounts.list()).find((account) => account.id === kit.accounts.bluesky)
  expect(account).toMatchObject({ isConnected: true, needsReconnect: false })
})

test('rejects two videos, and a video alongside an image', async () => {
  const [{ id: video }, { id: image }] = [await uploadVideo(kit), await uploadPng(kit)]
  const codes = async (...mediaUrls: string[]) => {
    const { issues } = await kit.api.posts.validate({
      body: { socialAccountIds: [kit.accounts.bluesky], content: 'Hi', mediaUrls },
    })
    return issues.map(({ code }) => code)
  }
  expect(await codes(video)).toEqual([])
  expect(await codes(video, video)).toEqual(['media_count'])
  expect(await codes(video, image)).toEqual(['media_type'])
})
