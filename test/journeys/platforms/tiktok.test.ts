import { afterAll, beforeAll, expect, test } from 'vitest'
import { tiktokSeed } from '../../../infra/local/platforms/tiktok.ts'
import { posts } from '../../../shared/posts/lifecycle/row.ts'
import { minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'
import { uploadJpeg } from '../upload-file.ts'
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

const onTikTok = () => kit.platforms.published().filter(({ platform }) => platform === 'tiktok')

const schedule = async (account: string, tiktok: object, mediaUrls: string[], content = 'For the others') => {
  const dueMs = kit.clock.now() + 12 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const body = { socialAccountIds: [account], content, metadata: { tiktok }, mediaUrls, scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  return { id, dueMs }
}

test('a video is uploaded ahead except for its last chunk and is public on time', async () => {
  const account = await connectOn(kit, 'tiktok')
  expect((await kit.api.socialAccounts.list()).find(({ id }) => id === account)).toMatchObject({
    providerId: 'tiktok',
    username: 'demo.creator',
    displayName: 'Demo Creator',
  })
  const bytes = clip(21_000_000)
  const { id: asset } = await uploadVideo(kit, bytes)
  const metadata = {
    privacyLevel: 'PUBLIC_TO_EVERYONE',
    title: 'My film #fun',
    disableStitch: false,
    anything: 1,
    brandContentToggle: true,
    isAigc: true,
  }
  const { id, dueMs } = await schedule(account, metadata, [asset])
  await kit.service.pass(11 * minuteMs + 50_000)
  const row = await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })
  expect(row?.preparation).toMatchObject({ ready: { next: 10_000_000, size: bytes.length } })
  expect(onTikTok()).toEqual([])
  await kit.service.pass(2 * minuteMs)
  const [shown] = onTikTok()
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown?.url,
    error: null,
  })
  expect(shown).toMatchObject({ account: '@demo.creator', text: 'My film #fun' })
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeGreaterThanOrEqual(0)
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
  const sent = await fetch(shown?.media[0] ?? '')
  expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true)
  const init = kit.platforms.calls().find(({ operation }) => operation === 'init')
  expect(JSON.parse(String(init?.body)).post_info).toMatchObject({
    title: 'My film #fun',
    disable_comment: true,
    disable_duet: true,
    disable_stitch: false,
    brand_content_toggle: true,
    brand_organic_toggle: false,
    is_aigc: true,
  })
})

test('photos are converted ahead and public on time', async () => {
  const account = await connectOn(kit, 'tiktok')
  const mediaUrls = [await uploadJpeg(kit), (await uploadPng(kit)).id]
  const metadata = { format: 'photo', privacyLevel: 'PUBLIC_TO_EVERYONE', photoTitle: 'Loaves', photoCoverIndex: 1 }
  const { id, dueMs } = await schedule(account, metadata, mediaUrls, 'Two of them')
  await kit.service.pass(14 * minuteMs)
  const shown = onTikTok().find(({ text }) => text === 'Loaves\n\nTwo of them')
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: expect.stringMatching(/\/photo\/\d+$/),
  })
  expect((shown?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
  expect((shown?.publishedAt ?? 0) - dueMs).toBeLessThan(1000)
  const types = await Promise.all(
    (shown?.media ?? []).map(async (url) => (await fetch(url)).headers.get('content-type')),
  )
  expect(types).toEqual(['image/jpeg', 'image/jpeg'])
})

test('photos whose response is lost are never sent again, and end as unknown', async () => {
  const account = await connectOn(kit, 'tiktok')
  kit.platforms.faults.add({ platform: 'tiktok', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const metadata = { format: 'photo', privacyLevel: 'PUBLIC_TO_EVERYONE' }
  const { id } = await schedule(account, metadata, [await uploadJpeg(kit)], 'Lost and live')
  await kit.service.pass(20 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'failed',
    failure: { reason: 'outcome_unknown', retrySafe: false },
  })
  expect(onTikTok().filter(({ text }) => text === 'Lost and live')).toHaveLength(1)
})

test('a post published immediately for friends returns the URL of the profile, the only one that TikTok provides', async () => {
  const account = await connectOn(kit, 'tiktok', tiktokSeed.shy.id)
  const { id: asset } = await uploadVideo(kit)
  const metadata = { tiktok: { privacyLevel: 'FOLLOWER_OF_CREATOR' } }
  const body = { socialAccountIds: [account], content: 'Hello friends', metadata, mediaUrls: [asset] }
  const [{ id = '' } = {}] = await kit.api.posts.publishNow({ body })
  await kit.service.pass(2 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: 'https://www.tiktok.com/@shy.creator',
  })
  expect(onTikTok().filter(({ text }) => text === 'Hello friends')).toHaveLength(1)
})

test('a privacy level that the account lacks fails the post and lists the available ones', async () => {
  const account = await connectOn(kit, 'tiktok', tiktokSeed.shy.id)
  const { id } = await schedule(account, { privacyLevel: 'PUBLIC_TO_EVERYONE' }, [(await uploadVideo(kit)).id], 'loud')
  await kit.service.pass(13 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  expect(post).toMatchObject({ status: 'failed', error: expect.stringContaining('SELF_ONLY') })
  expect(onTikTok().filter(({ text }) => text === 'loud')).toEqual([])
})

test('a draft is in the inbox of the account, and its attempt says what is left to do', async () => {
  const account = await connectOn(kit, 'tiktok', tiktokSeed.shy.id)
  const before = onTikTok().length
  const draft = { privacyLevel: 'SELF_ONLY', postMode: 'MEDIA_UPLOAD' }
  const { id } = await schedule(account, draft, [(await uploadVideo(kit)).id])
  await kit.service.pass(14 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  expect(post).toMatchObject({ status: 'published', publishedPostUrl: null, error: null })
  const { items } = await kit.api.posts.listAttempts({ params: { id } })
  expect(items.at(-1)?.summary).toMatch(/draft in the TikTok inbox/)
  expect(onTikTok()).toHaveLength(before)
})

test('rejects invalid posts at schedule time', async () => {
  const account = await connectOn(kit, 'tiktok')
  const { id: asset } = await uploadVideo(kit)
  const good = { privacyLevel: 'SELF_ONLY' }
  const body = { socialAccountIds: [account], content: 'Hi', metadata: { tiktok: good }, mediaUrls: [asset] }
  const codes = async (more: object) => {
    const { issues } = await kit.api.posts.validate({ body: { ...body, ...more } })
    return issues.map(({ code }) => code)
  }
  expect(await codes({})).toEqual([])
  expect(await codes({ content: '' })).toEqual([])
  expect(await codes({ metadata: {} })).toEqual(['metadata_required'])
  expect(await codes({ metadata: { tiktok: {} } })).toEqual(['metadata_invalid'])
  expect(await codes({ metadata: { tiktok: { privacyLevel: 'public' } } })).toEqual(['metadata_invalid'])
  expect(await codes({ metadata: { tiktok: { ...good, brandContentToggle: true } } })).toEqual(['metadata_invalid'])
  const photos = { ...good, format: 'photo' }
  const picture = (await uploadPng(kit)).id
  expect(await codes({ metadata: { tiktok: photos }, mediaUrls: [picture] })).toEqual([])
  expect(await codes({ metadata: { tiktok: photos } })).toEqual(['media_type'])
  const many = Array.from({ length: 36 }, () => picture)
  expect(await codes({ metadata: { tiktok: photos }, mediaUrls: many })).toEqual(['media_count'])
  expect(await codes({ content: 'x'.repeat(2201) })).toEqual(['content_length'])
  expect(await codes({ mediaUrls: [] })).toEqual(['media_count'])
  expect(await codes({ mediaUrls: [(await uploadPng(kit)).id] })).toEqual(['media_type'])
})
