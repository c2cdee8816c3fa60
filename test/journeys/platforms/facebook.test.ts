import { afterAll, beforeAll, expect, test } from 'vitest'
import { facebookSeed } from '../../../infra/local/platforms/facebook.ts'
import { minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'
import { uploadFilm, uploadJpeg } from '../upload-file.ts'

let kit: Kit
let pages: Awaited<ReturnType<Kit['api']['socialAccounts']['list']>>
beforeAll(async () => {
  kit = await start()
  await connectOn(kit, 'facebook')
  pages = (await kit.api.socialAccounts.list()).filter(({ providerId }) => providerId === 'facebook')
})
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})

test('a login offers several pages, and each selected page becomes an account', () => {
  const [bakery, cafe] = facebookSeed.pages
  expect(new Map(pages.map(({ displayName, username }) => [displayName, username]))).toEqual(
    new Map([
      [bakery.name, bakery.username],
      [cafe.name, null],
    ]),
  )
})

test.each([
  ['words', 0],
  ['one photo', 1],
  ['three photos', 3],
])('%s: published on both pages on time, once, with their URLs', async (kind, photos) => {
  const mediaUrls = []
  for (let n = 0; n < photos; n += 1) mediaUrls.push((await uploadPng(kit)).id)
  const content = `About ${kind}: https://example.com`
  const dueMs = kit.clock.now() + 10 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const body = { socialAccountIds: pages.map(({ id }) => id), content, mediaUrls, scheduledAt }
  const scheduled = await kit.api.posts.schedule({ body })
  await kit.service.pass(11 * minuteMs)
  const shown = kit.platforms.published().filter(({ text }) => text === content)
  expect(shown.map(({ account }) => account).sort()).toEqual(pages.map(({ displayName }) => displayName).sort())
  for (const { id } of scheduled) {
    const post = await kit.api.posts.get({ params: { id } })
    expect(post).toMatchObject({ status: 'published', error: null })
    expect(shown.map(({ url }) => url)).toContain(post.publishedPostUrl)
  }
  for (const { media, publishedAt } of shown) {
    expect(media).toHaveLength(photos)
    expect(publishedAt - dueMs).toBeGreaterThanOrEqual(0)
    expect(publishedAt - dueMs).toBeLessThanOrEqual(1000)
  }
})

test.each([
  ['a video', { format: 'video' }, uploadFilm],
  ['a reel', { format: 'reel' }, uploadFilm],
  ['a story with a photo', { format: 'photo_story' }, uploadJpeg],
  ['a story with a video', { format: 'video_story' }, uploadFilm],
] as const)('%s: published on time, once, with its URL', async (kind, facebook, upload) => {
  const content = facebook.format.endsWith('story') ? '' : `About ${kind}`
  const dueMs = kit.clock.now() + 15 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const socialAccountIds = pages.slice(0, 1).map(({ id }) => id)
  const body = { socialAccountIds, content, metadata: { facebook }, mediaUrls: [await upload(kit)], scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  await kit.service.pass(16 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  expect(post).toMatchObject({ status: 'published', error: null })
  const [shown, ...more] = kit.platforms.published().filter(({ url }) => url === post.publishedPostUrl)
  expect(more).toEqual([])
  expect(shown).toMatchObject({ text: content, account: pages[0]?.displayName })
  expect(shown?.media).toHaveLength(1)
  expect((shown?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
  expect((shown?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(1000)
})

test('rejects invalid posts at schedule time', async () => {
  const codes = async (content: string, mediaUrls: string[] = [], facebook?: object) => {
    const socialAccountIds = pages.slice(0, 1).map(({ id }) => id)
    const metadata = { facebook }
    const { issues } = await kit.api.posts.validate({ body: { socialAccountIds, content, mediaUrls, metadata } })
    return issues.map(({ code }) => code)
  }
  expect(await codes('See https://example.com')).toEqual([])
  expect(await codes('https://a.test https://b.test')).toEqual(['link_limit'])
  expect(await codes('x'.repeat(63_207))).toEqual(['content_length'])
  expect(await codes('A film', [await uploadFilm(kit)])).toEqual(['media_type'])
  expect(await codes(' ')).toEqual(['content_empty'])
  const [film, photo] = [await uploadFilm(kit), await uploadJpeg(kit)]
  expect(await codes('A film', [film], { format: 'reel' })).toEqual([])
  expect(await codes('A photo', [photo], { format: 'reel' })).toEqual(['media_type'])
  expect(await codes('Words', [photo], { format: 'photo_story' })).toEqual(['content_invalid'])
  expect(await codes('A film', [film], { format: 'movie' })).toEqual(['metadata_invalid', 'media_type'])
})
